# SPDX-License-Identifier: MIT
# Tactus. Two commands do all the set-up: `make demo` and `make test`. `make help` lists the rest.

SHELL := /bin/bash
MAKEFLAGS += --no-builtin-rules

# `make O=FOLDER ...`: the sources may be read-only, all that is made lies in FOLDER/build.
ifneq ($(O),)
$(or $(MAKECMDGOALS),help): elsewhere ;
elsewhere:
	@mkdir -p $(O) && ln -sfn $(filter-out $(CURDIR)/build,$(wildcard $(CURDIR)/* $(CURDIR)/.c* $(CURDIR)/.github)) $(O) && $(MAKE) -C $(O) O= $(MAKECMDGOALS)
else
.SUFFIXES:
.DEFAULT_GOAL := help

FLAGS := -std=c99 -ffp-contract=off -fno-tree-vectorize -fno-math-errno -fno-common
WARNINGS := -pedantic -Wall -Wextra -Wconversion -Wsign-conversion -Wdouble-promotion -Wshadow -Wundef \
	-Wmissing-prototypes -Wvla -Wcast-align -Werror
INCLUDES := -Iinclude -isystem src -Iport -Itests -Itargets/scenes -Itargets/host
KERNEL := $(wildcard src/*.c src/*.h src/*/*.h include/tactus/*.h)

# Jobs of a make below this one: two, or those that this one was given.
JOBS = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j2)

# All that is made lies in build/.
ifneq ($(filter-out help house,$(or $(MAKECMDGOALS),help)),)
$(if $(shell mkdir -p build && [ -w build ] && echo 1),,$(error build/ cannot be written here: make O=FOLDER ... makes all of it in another folder))
endif

help: ## this list
	@awk -F':.*## ' '/^[a-z][a-z0-9-]*:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# ------------------------------------------------------------------------------------------------------ host programs
# build/host/VARIANT/... where VARIANT is COMPILER-LEVEL-BITS; `san` is gcc with address and undefined-behaviour sanitizers.
# It stands first, because what takes longest is best begun first. At -Og the sanitized kernel takes gcc 10 s, at -O1 17 s.

# All tests run in the variants of logic: both precisions, a second compiler, the sanitizers. What the others compute is the same
# bits, which the programs of bits show: other levels, and machines of another word size, byte order or arithmetic, by user
# emulation (tests/run). These have one kernel, `all`, that of most golden tables: what capacities leave out of the kernel is the same
# source everywhere. s390x computes float in double unless it is told not to.
VARIANTS := san-Og-64 gcc-O2-32 gcc-O2-64 clang-O0-32
EMULATED := i386-O1-32 i386-O1-64 s390x-O1-32 s390x-O1-64 powerpc-O1-32
BITS := san-Og-32 gcc-O0-32 gcc-O0-64 clang-O0-64 clang-O2-32 $(EMULATED)
# WebAssembly in node, which tests/golden/wasm.t makes and runs where clang has it.
WASM := wasm-Os-32 wasm-Os-64
PAGE_KERNELS := wasm-O2-32 wasm-O2-64
BITS_TESTS := $(basename $(wildcard tests/golden/*.c)) tests/unit/self_test tests/property/snapshot tests/link/wire

# -g1: a report of a sanitizer or of valgrind names function and line; more costs an eighth of the compiler's time.
word_of = $(word $1,$(subst -, ,$2))
compiler_gcc := gcc
compiler_clang := clang
compiler_san := gcc -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all
compiler_i386 := i686-linux-gnu-gcc -msse2 -mfpmath=sse -static
compiler_s390x := s390x-linux-gnu-gcc -fexcess-precision=fast -static
compiler_powerpc := powerpc-linux-gnu-gcc -static
compiler_wasm := clang --target=wasm32 -mbulk-memory -ffreestanding -nostdlib -Qunused-arguments \
	-Wl,--no-entry,--export=main,--export=port_text,--stack-first,-z,stack-size=1048576
compile = $(compiler_$(call word_of,1,$1)) -$(call word_of,2,$1) -g1 $(FLAGS) $(WARNINGS) $(INCLUDES) -D_POSIX_C_SOURCE=200809L \
	-DTAC_REAL_BITS=$(call word_of,3,$1) $(if $(filter gcc wasm,$(call word_of,1,$1)),,-DTAP_DIRTY -DTAC_SPOIL)

FIRMWARE := targets/firmware/main.c port/posix/port.c $(wildcard port/link/*.c) src/tactus.c
TOOL := $(wildcard targets/host/*.c) $(wildcard targets/host/log/*.c) $(wildcard port/link/*.c) $(wildcard targets/scenes/*.c) src/tactus.c

# A test is one file. It gets the kernel and the scenes (robots if it includes robots.h) unless it includes tactus.c, or a part of
# the kernel and calls nothing of the API; the POSIX port unless it brings its own, and what its folder stands for.
#   // config: NAME       the capacities: a name of tests/configurations.mk. Kernel and scenes are compiled once for each name
#                         and variant. No such line: `default`, what config.h says
#   // config: -D...      capacities of its own (several lines are allowed): kernel and scenes are compiled for this test alone
#   // variants: V...     those of logic that have the time for it; `all`: these four and the boards. No such line: `all` for
#                         `default`, else the four
# What these lines say of all tests is read in one pass, when one of them has changed, into build/programs.mk.
TESTS := $(basename $(wildcard tests/unit/*.c tests/physics/*.c tests/property/*.c tests/fault/*.c tests/golden/*.c \
	tests/fuzz/*.c)) \
	$(addprefix tests/link/,wire measured methods packed questions requests requests_rolling requests_joints cancel lossy lossy_joints noise noise_joints \
		liar liar_joints) \
	$(addprefix tests/port/,executive planner posix board cycle restart)
include tests/configurations.mk
ifneq ($(filter-out help clean house,$(or $(MAKECMDGOALS),help)),)
include build/programs.mk
endif
build/programs.mk: tests/programs.awk $(TESTS:%=%.c)
	@mkdir -p $(@D)
	@awk -v rooms='$(patsubst src/%/.,%,$(wildcard src/*/.))' -f $^ > $@.new && mv $@.new $@

variants_of = $(or $(patsubst all,$(VARIANTS),$(variants_$1)),$(VARIANTS))
# A word that is misspelt must not take a test away; asked where recipes begin, when build/programs.mk is up to date.
no_such = $(foreach t,$(TESTS),$(foreach v,$(filter-out all $(VARIANTS),$(variants_$t)),$(error $t: there is no variant $v)) \
	$(foreach c,$(filter-out $(CONFIGURATIONS),$(config_$t)),$(error $t: there is no configuration $c)))
on_boards = $(or $(filter default,$(config_$1)),$(if $(config_$1),$(filter all,$(variants_$1))))
port_of = $(if $(filter tests/port/executive,$1),,port/$(or $2,posix)/port.c)
extra_of = $(if $(filter tests/link/%,$1),tests/link/pair.c $(wildcard port/link/*.c)) \
	$(if $(filter tests/port/executive tests/port/cycle tests/port/restart,$1),port/executive.c) \
	$(if $(filter tests/port/planner,$1),port/planner.c)
sources_of = $(sources_$1) $(extra_of)

# What a test does with the kernel's answers need not be compiled at the kernel's level: half of the time of the compiler. With
# clang -O1 costs what -O2 does. 1: variant; 2: source without its .c
test_level = $(if $(findstring -O2-,$1),$(if $(filter $(API_TESTS) tests/tap tests/link/pair targets/scenes/%,$2),-$(if $(filter clang-%,$1),O0,O1)))

# Objects of one variant (1) and configuration (2). A test that includes all of tactus.c needs nothing of it from outside: gcc is told.
define host_objects
build/host/$1/$2/%.o: %.c Makefile tests/configurations.mk
	@mkdir -p $$(@D)
	@$$(call compile,$1) $$(call test_level,$1,$$*) $$(configuration_$2) $$(WHOLE) -MD -MP -c $$< -o $$@
endef
# One program (1) in all variants (2) with one configuration (3) and one port (4; none: posix); with capacities of its own it
# is compiled in one go.
define host_program
$(2:%=build/host/%/$1): build/host/%/$1: $(if $(own_$1),$(sources_of) $(call port_of,$1) $(filter %.h,$(KERNEL)),$(addprefix build/host/%/$3/,$(patsubst %.c,%.o,$(sources_of) $(call port_of,$1,$4))))
	@mkdir -p $$(@D)
	@$$(call compile,$$*) $(own_$1) $$(filter %.c %.o,$$^) -o $$@
endef
define host_tool
build/host/$1/tactus: $(TOOL:%.c=build/host/$1/tool/%.o)
build/host/$1/firmware: $(FIRMWARE:%.c=build/host/$1/tool/%.o)
build/host/$1/tactus build/host/$1/firmware:
	@$$(call compile,$1) $$^ -o $$@ -lm
endef
ifndef BOARD
$(foreach v,$(VARIANTS) $(BITS),$(foreach c,$(CONFIGURATIONS) tool,$(eval $(call host_objects,$v,$c)))$(eval $(call host_tool,$v)))
$(foreach v,$(WASM),$(eval $(call host_objects,$v,all)))
$(foreach v,$(PAGE_KERNELS),$(eval $(call host_objects,$v,page)))
$(foreach t,$(TESTS),$(eval $(call host_program,$t,$(VARIANTS),$(config_$t))))
$(foreach t,$(BITS_TESTS),$(eval $(call host_program,$t,$(BITS),all))$(eval $(call host_program,$t,$(WASM),all,wasm)))
$(foreach v,$(filter-out clang-%,$(VARIANTS) $(BITS)),$(WHOLE_TESTS:%=build/host/$v/default/%.o)): WHOLE := -fwhole-program
ifneq ($(filter-out help clean house,$(or $(MAKECMDGOALS),help)),)
-include $(shell find build/host -name '*.d' 2>/dev/null)
endif
endif

# The page: the kernel in both precisions, three.js, and what is in targets/page, all in one file that opens from disk.
PAGE_SOURCES := $(wildcard targets/page/*.c) $(addprefix port/link/,image.c image_model.c image_room.c method.c value.c wire.c) \
	$(wildcard targets/scenes/*.c) src/tactus.c
PAGE_PARTS := $(filter-out %.c %.h %.md,$(wildcard targets/page/*))
page: build/page/index.html ## the page, from disk or any host: build/page/index.html (needs make tools-page)
build/page/index.html: build/page-kernel/kernel-32.wasm build/page-kernel/kernel-64.wasm $(PAGE_PARTS)
	@mkdir -p $(@D)
	@NODE_PATH=build/npm/page/node_modules node targets/page/bundle.cjs build/page-kernel $@
build/page-kernel/kernel-%.wasm: $(foreach s,$(PAGE_SOURCES:.c=.o),build/host/wasm-O2-%/page/$s)
	@mkdir -p $(@D)
	@clang --target=wasm32 -nostdlib -Wl,--no-entry,--stack-first,--strip-all,-z,stack-size=1048576 $^ -o $@

tactus: build/host/gcc-O2-64/tactus build/host/gcc-O2-32/tactus ## the host tool in both precisions: build/tactus, build/tactus-float
	@ln -sf host/gcc-O2-64/tactus build/tactus && ln -sf host/gcc-O2-32/tactus build/tactus-float

firmware-host: build/host/gcc-O2-64/firmware build/host/gcc-O2-32/firmware ## the firmware as a process, its link on stdin and stdout: build/firmware-host, -float
	@ln -sf host/gcc-O2-64/firmware build/firmware-host && ln -sf host/gcc-O2-32/firmware build/firmware-host-float

# ------------------------------------------------------------------------------------------------------------- boards
# Programs for a board are built by a sub-make that knows the board: make BOARD=mps2-an386 PRECISION=float board-tests

BOARDS := mps2-an385.float mps2-an386.float mps2-an500.float mps2-an500.double rv32imafc.float
BOARD_TESTS := $(filter-out tests/port/executive tests/port/posix,$(foreach t,$(TESTS),$(if $(call on_boards,$t),$t)))

# All of them on the board of the front page. The others run what is their own: ports, arithmetic and its golden hashes, bytes,
# calls of every floor; the same bits are the same physics.
PART_TESTS := $(filter tests/golden/% tests/port/% tests/link/% tests/fault/% tests/fuzz/% \
	$(addprefix tests/unit/,base cone self_test boxes local sets geometry polyhedron model resistance) \
	$(addprefix tests/property/,snapshot scenes) tests/physics/impact,$(BOARD_TESTS))
tests_on = $(if $(filter mps2-an386.float,$1),$(BOARD_TESTS) tests/bench/kernel,$(PART_TESTS))

ifdef BOARD
DEFINES += -isystem src
include targets/board.mk
$(foreach t,$(BOARD_TESTS),$(call board_program,$t,$(call sources_of,$t),$(filter-out default,$(config_$t))))
$(WHOLE_TESTS:%=$(BOARD_OBJ)/%.o): BOARD_FLAGS += -fwhole-program
$(foreach c,. $(CONFIGURATIONS:%=%/.),$(patsubst %,$(BOARD_OBJ)/$(c:.=)%.o,$(API_TESTS) tests/tap tests/link/pair)): BOARD_FLAGS += -O1
$(call board_program,tests/bench/kernel,tests/bench/kernel.c tests/tap.c)
$(call board_program,firmware,$(FIRMWARE_SOURCES))
$(call board_program,tests/bench/broad,tests/bench/broad.c tests/tap.c)
board-broad: $(BOARD_OUT)/tests/bench/broad.elf
$(call board_program,tests/bench/pairs,tests/bench/pairs.c tests/tap.c)
board-pairs: $(BOARD_OUT)/tests/bench/pairs.elf
$(call board_program,tests/bench/cut,tests/bench/cut.c tests/tap.c)
board-kernel: $(BOARD_OUT)/tests/bench/kernel.elf
board-tests: $(patsubst %,$(BOARD_OUT)/%.elf,$(if $(PART),$(PART_TESTS),$(call tests_on,$(BOARD).$(PRECISION))))
board-firmware: $(BOARD_OUT)/firmware.elf
endif

board_make = $(MAKE) -s BOARD=$(basename $1) PRECISION=$(patsubst .%,%,$(suffix $1))
boards: $(BOARDS:%=boards-%) ## the test programs of all boards; of one: make boards-mps2-an386.float
boards-%:
	+@$(call board_make,$*) board-tests

# They share objects, so one make at a time works on them.
boards-mps2-an386.float: | firmware

firmware: ## the link firmware for the Cortex-M4F board
	+@$(call board_make,mps2-an386.float) board-firmware

# --------------------------------------------------------------------------------------------------------------- tests

tests_of = $(foreach t,$(TESTS),$(if $(filter $1,$(call variants_of,$t)),$t))
programs_of = $(patsubst %,build/host/$1/%,$(if $(filter $1,$(BITS)),$(BITS_TESTS),$(call tests_of,$1)))
programs_on = $(patsubst %,build/$(subst .,/,$1)/%.elf,$2)
SCRIPTS := $(wildcard tests/*/*.t)
# Scripts start python3 hundreds of times. Where that is a script which looks for the interpreter (pyenv), each start costs half a
# second, so it is looked for once.
PROVE = HARNESS_RULESFILE=tests/rules.yml PATH="$$(python3 -c 'import os, sys; print(os.path.dirname(sys.executable))'):$$PATH" prove -j2 --exec tests/each

# `make check`: the logic of all tests in float on dirty memory, compiled in a second or two by clang -O0; in double, with
# sanitizers, what needs two kernels only: every floor by the programs of bits, each part by itself, bad input.
CHECK_TESTS = $(BITS_TESTS) $(filter tests/unit/% tests/fault/% tests/fuzz/%, \
	$(foreach t,$(TESTS),$(if $(filter default all,$(config_$t)),$t)))
CHECK_PROGRAMS = $(call programs_of,clang-O0-32) $(filter $(CHECK_TESTS:%=build/host/san-Og-64/%),$(call programs_of,san-Og-64))

# What `make test` leaves to `make test-all`: bits of other machines, boards and levels, long runs on a board, counted
# instructions, scripts that compile the kernel many times or convert many robots, a second library's equations of motion; and
# gcc -O2 for one test alone, whose capacities no other has.
QUICK_BOARD := mps2-an386.float
LONG_SCRIPTS := $(wildcard tests/bench/*.t) $(addprefix tests/,demo/toss.t dist/dist.t dist/npm.t fmu/fmu.t golden/undefined.t golden/wasm.t \
	joints/oracle_dae.t oracle/hopper.t oracle/kdl.t oracle/rollout.t page/page.t page/view.t pages/pages.t python/python.t size/arithmetic.t size/capacity.t \
	size/guard.t size/prefix.t size/targets.t tool/urdf.t)
LONG_PROGRAMS = $(foreach v,$(filter gcc-O2-%,$(VARIANTS)),$(foreach t,$(call tests_of,$v),$(if $(own_$t),build/host/$v/$t)))
TEST_PROGRAMS = $(filter-out $(LONG_PROGRAMS),$(foreach v,$(VARIANTS),$(call programs_of,$v))) \
	$(call programs_on,$(QUICK_BOARD),$(PART_TESTS))
REST_PROGRAMS = $(LONG_PROGRAMS) $(foreach v,$(BITS),$(call programs_of,$v)) \
	$(filter-out $(TEST_PROGRAMS),$(foreach b,$(BOARDS),$(call programs_on,$b,$(call tests_on,$b))))

# The wheel has what lies outside its folder in brought/: the kernel, the readers of URDF and MJCF, and the page if it is made.
PYTHON_OUT := build/python
python: tools-python ## the Python package, a wheel and a source distribution: build/python/tactus-*
	@rm -rf $(PYTHON_OUT) && mkdir -p $(PYTHON_OUT)/source/brought/source
	@cp -r targets/python/. $(PYTHON_OUT)/source && cp -r targets/host/convert $(PYTHON_OUT)/source/brought/convert
	@cp -r src include $(PYTHON_OUT)/source/brought/source
	@[ ! -f build/page/index.html ] || { mkdir $(PYTHON_OUT)/source/brought/page && cp build/page/index.html $(PYTHON_OUT)/source/brought/page; }
	@find $(PYTHON_OUT)/source -name __pycache__ -exec rm -rf {} +
	@cd $(PYTHON_OUT)/source && /usr/bin/python3 setup.py -q sdist -d .. bdist_wheel -d .. >../log 2>&1 || { cat ../log; exit 1; }
	@ls $(PYTHON_OUT)/tactus-*

# What is released, from targets/dist; the archives lie beside the folder.
DIST := build/dist/tactus
dist-sources: $(DIST)/src/tactus.c ## the kernel as two files, in the folder that CMake, Meson, Arduino and others read: build/dist/tactus
$(DIST)/src/tactus.c: $(KERNEL) $(shell find targets/dist -type f) Makefile
	@targets/dist/dist.py . $(DIST) $(FLAGS)
dist: dist-sources python $(if $(shell command -v wasm-ld),npm) ## all that is released: that folder, its archives and SBOM, the wheel and the Python sources, npm: build/dist
	@mkdir -p build/dist/python && cp $(PYTHON_OUT)/tactus-*.whl $(PYTHON_OUT)/tactus-*.tar.gz build/dist/python && ls -d build/dist/* build/dist/python/*
	@command -v wasm-ld >/dev/null || echo 'skipped: the npm package, without lld: make tools-page'
npm: build/page-kernel/kernel-32.wasm build/page-kernel/kernel-64.wasm ## the kernel as WebAssembly for node and browsers: build/dist/npm (needs clang, lld)
	@targets/npm/pack.py . build/page-kernel build/dist/npm/tactus && ls build/dist/npm/*.tgz

fmu: dist-sources ## an FMU (FMI 3.0) of a robot or a scene: make fmu MODEL=robot.urdf OUT=robot.fmu [PRECISION=float] [ARGUMENTS='--ground ...']
	@targets/fmu/model2fmu $(if $(MODEL),'$(MODEL)') $(if $(OUT),'$(OUT)') $(if $(filter float,$(PRECISION)),--bits 32) $(if $(ARGUMENTS),-- $(ARGUMENTS))

PREFIX ?= /usr/local
install: dist-sources build/host/gcc-O2-64/tactus ## the kernel with knobs KNOBS='-DTAC_MAX_JOINTS=12 ...', pkg-config, CMake, the tool: make install PREFIX= DESTDIR=
	@mkdir -p build/install && $(CC) -O2 $(FLAGS) $(KNOBS) -I$(DIST)/src -c $(DIST)/src/tactus.c -o build/install/tactus.o
	@rm -f build/install/libtactus.a && $(AR) rcs build/install/libtactus.a build/install/tactus.o
	@sed 's/@DEFINITIONS@/$(KNOBS)/' $(DIST)/tactus.pc.in >build/install/tactus.pc
	@echo '$(KNOBS)' | sed 's/^ *//; s/ *$$//; s/  */;/g' | sed 's/.*/s|@DEFINITIONS@|&|/' | sed -f - $(DIST)/cmake/tactusConfig.cmake.in >build/install/tactusConfig.cmake
	@targets/dist/help.py build/host/gcc-O2-64/tactus build/install
	@to=$(DESTDIR)$(PREFIX) && install -d $$to/lib/pkgconfig $$to/lib/cmake/tactus $$to/include/tactus && \
		install -m 644 build/install/tactusConfig.cmake $(DIST)/cmake/tactusConfigVersion.cmake $$to/lib/cmake/tactus && \
		install -m 644 build/install/libtactus.a $$to/lib && install -m 644 build/install/tactus.pc $$to/lib/pkgconfig && \
		install -m 644 $(DIST)/src/*.h $$to/include && install -m 644 $(DIST)/src/tactus/*.h $$to/include/tactus && \
		install -D build/host/gcc-O2-64/tactus $$to/bin/tactus && \
		install -D -m 644 build/install/tactus.1 $$to/share/man/man1/tactus.1 && \
		install -D -m 644 build/install/completion $$to/share/bash-completion/completions/tactus

check: tools-check ## for one who edits, two minutes: house, all logic in float, every floor in double with sanitizers
	@$(no_such):
	@tests/house
	@$(MAKE) -s $(JOBS) $(CHECK_PROGRAMS)
	@$(PROVE) tests/figures/claims.t $(CHECK_PROGRAMS)

test: tools-test ## what may break: host (gcc, clang, sanitizers) and one board, float and double, scripts, the kernel's object
	@$(no_such):
	@$(MAKE) -s $(JOBS) test-programs
	@$(PROVE) $(filter-out $(LONG_SCRIPTS),$(SCRIPTS)) $(TEST_PROGRAMS)

test-all: tools-all ## what `make test` leaves: the same bits on all machines, boards and levels, long scripts
	@$(no_such):
	@$(MAKE) -s $(JOBS) rest-programs
	@$(PROVE) $(LONG_SCRIPTS) $(REST_PROGRAMS)

test-programs: $(filter build/host/%,$(TEST_PROGRAMS)) tactus firmware ## all programs that `make test` runs
	+@$(call board_make,$(QUICK_BOARD)) PART=1 board-tests
rest-programs: $(filter build/host/%,$(REST_PROGRAMS)) tactus firmware boards ## all programs that `make test-all` runs

test-host: tools-test ## the tests of one host variant: make test-host VARIANT=clang-O0-32
	@$(if $(filter $(VARIANT),$(VARIANTS) $(BITS)),,$(error there is no variant $(VARIANT): $(VARIANTS) $(BITS)))$(no_such):
	@$(MAKE) -s $(JOBS) $(call programs_of,$(VARIANT))
	@$(PROVE) $(call programs_of,$(VARIANT))
VARIANT ?= gcc-O2-64

test-emulated: tools-all ## the tests of i386, s390x and PowerPC (both of these big-endian; PowerPC in float)
	@$(MAKE) -s $(JOBS) $(foreach v,$(EMULATED),$(call programs_of,$v))
	@$(PROVE) $(foreach v,$(EMULATED),$(call programs_of,$v))

fuzz: build/fuzz/narrow ## look for shapes that break the narrow phase: make fuzz FUZZ_SECONDS=60 (clang, libFuzzer)
	@mkdir -p build/fuzz/found
	@cd build/fuzz && ./narrow -max_total_time=$(FUZZ_SECONDS) -max_len=128 -len_control=0 -print_final_stats=1 found
build/fuzz/narrow: tests/fuzz/narrow.c tests/tap.c port/posix/port.c $(wildcard tests/*.h) $(KERNEL)
	@mkdir -p $(@D)
	@clang -O2 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all $(FLAGS) $(WARNINGS) $(INCLUDES) \
		-D_POSIX_C_SOURCE=200809L -DTAC_REAL_BITS=64 -DFUZZER -DPROOF_CELLS=4000 $(filter tests/%.c port/%.c,$^) src/tactus.c -o $@
FUZZ_SECONDS ?= 60

house: ## every part of the kernel compiles alone, and calls only what stands above it
	@tests/house

tools-%:
	@targets/setup $*

# ------------------------------------------------------------------------------------------------------------ the job

demo: tools-demo ## the main job: an emulated Cortex-M4F predicts a tossed cube, the host checks every bit
	@$(MAKE) -s $(JOBS) build/host/gcc-O2-32/tactus firmware
	@targets/host/demo build/host/gcc-O2-32/tactus build/mps2-an386/float/firmware.elf build/demo

demo-planner: tools-test ## a pushed quadruped that plans by roll-outs, on an emulated Cortex-M7 and on the host, to the bit (minutes)
	@targets/planner/demo 20
demo-walk: build/planner/tactus-host ## twenty quadrupeds that lie stand up and walk by plans through contact, on the host
	@targets/planner/demo-walk 20 20
PLANNER_TASKS := $(addprefix targets/planner/,stand.o search.o keep.o) port/planner.o port/posix/port.o targets/scenes/robots.o src/tactus.o
PLANNER_HOST := $(addprefix build/host/gcc-O2-32/planner/,$(PLANNER_TASKS) $(addprefix targets/planner/,host.o trial.o stroll.o walk.o robot.o) \
	$(patsubst %.c,%.o,$(wildcard port/link/*.c)) targets/host/endpoint.o targets/host/message.o)
PLANNER_SERVED := $(addprefix build/host/gcc-O2-32/planner/,$(PLANNER_TASKS) $(addprefix targets/planner/,served_loop.o served.o) \
	$(patsubst %.c,%.o,$(filter-out port/link/client.c,$(wildcard port/link/*.c))))
build/planner/tactus-host: $(PLANNER_HOST)
build/planner/tactus-served: $(PLANNER_SERVED)
build/planner/tactus-host build/planner/tactus-served:
	@mkdir -p $(@D)
	@$(call compile,gcc-O2-32) $^ -o $@

figures-kernel: tools-test ## what the kernel reaches, each figure measured now: scenes, tosses, size, stack, instructions
	@$(MAKE) -s $(JOBS) tactus firmware build/figures-64 build/figures-32
	+@$(call board_make,mps2-an386.float) board-kernel
	@tests/figures/kernel
build/figures-%: tests/figures/figures.c $(KERNEL)
	@$(call compile,gcc-O2-$*) -DTAC_MAX_CONTACTS=64 -DTAC_MAX_FILL=0 tests/figures/figures.c src/tactus.c -o $@ -lm

figures-tolerance: ## what the tolerance of the solver changes in the same scenes
	@$(MAKE) -s $(JOBS) build/figures-64 build/figures-32
	@tests/figures/tolerance

bench-broad: tools-bench ## instructions of the broad phase and of a test of all pairs, for 16 to 1000 bodies
	@$(MAKE) -s build/bench/broad
	+@$(call board_make,mps2-an386.float) board-broad
	@tests/bench/broad
build/bench/broad: tests/bench/broad.c tests/tap.c port/posix/port.c $(KERNEL)
	@mkdir -p $(@D)
	@$(call compile,gcc-O2-32) $(filter tests/% port/%,$^) -o $@

bench-pairs: tools-test ## instructions a pair of shapes, on the emulated Cortex-M4F: the table of src/geometry/README.md
	+@$(call board_make,mps2-an386.float) board-pairs
	@tests/bench/pairs

bench-dynamics: tools-test ## instructions of mass matrix, inverse and forward dynamics, on robots of TACTUS_DATA
	@tests/bench/dynamics

bench-questions: tools-test ## instructions of the functions for controllers, on the emulated Cortex-M4F and M7, float
	@tests/bench/questions mps2-an386 mps2-an500

bench-lcs: tools-test ## instructions of steps and plans of linear complementarity systems, on the emulated Cortex-M4F and M7, float
	@tests/bench/lcs mps2-an386 mps2-an500

demo-cartpole: ## a pole between soft walls is stood up again by C3 after twenty pushes
	@$(MAKE) -s $(JOBS) build/host/gcc-O2-64/tests/physics/cartpole
	@build/host/gcc-O2-64/tests/physics/cartpole

demo-tray: ## a ball that falls is caught on a tray by plans, on a foreign plant: twenty tosses
	@$(MAKE) -s $(JOBS) build/host/gcc-O2-64/tests/physics/tray
	@TAP_FIGURES=1 build/host/gcc-O2-64/tests/physics/tray

demo-turn: ## a capsule is turned in the hand by two fingers by plans, on a foreign plant: twenty angles
	@$(MAKE) -s $(JOBS) build/host/gcc-O2-64/tests/physics/turn
	@TAP_FIGURES=1 build/host/gcc-O2-64/tests/physics/turn

bench-ilqr: tools-test ## instructions of plans of a planar hopper by iterative LQR, on the emulated Cortex-M7, float
	@tests/bench/ilqr mps2-an500

demo-hopper: ## a planar hopper jumps half a metre by iterative LQR, which finds when to leave the ground and to land
	@$(MAKE) -s $(JOBS) build/host/gcc-O2-64/tests/physics/hopper
	@build/host/gcc-O2-64/tests/physics/hopper

bench-plan: tools-test ## instructions of plans by sampling of a pushed quadruped, on the emulated Cortex-M7, float
	@tests/bench/plan mps2-an500

PAGE_RUNS := stand 1000 cube_toss 1500 wall 100
bench-page: page build/bench/page ## time of the page: script of a frame, ms; a step in WebAssembly and on the host, us
	@NODE_PATH=build/npm/page/node_modules node tests/page/frames.cjs build/page/index.html
	@node tests/page/speed.cjs build/page-kernel/kernel-64.wasm $(PAGE_RUNS)
	@build/bench/page 5 $(PAGE_RUNS)
build/bench/page: tests/page/speed.c targets/page/wall.c $(wildcard targets/scenes/*.c) $(KERNEL)
	@mkdir -p $(@D)
	@$(call compile,gcc-O2-64) $(configuration_page) -Itargets/page $(filter tests/% targets/%,$^) src/tactus.c -o $@

BENCH_LINK := tests/bench/link.o $(addprefix targets/host/,endpoint.o message.o) $(patsubst %.c,%.o,$(wildcard port/link/*.c)) src/tactus.o
bench-link: tools-test ## round trips of the link: a firmware as a process, and in an emulated Cortex-M4F
	@$(MAKE) -s $(JOBS) build/bench/link-64 build/bench/link-32 build/host/gcc-O2-64/firmware firmware
	@build/bench/link-64 exec:build/host/gcc-O2-64/firmware
	@targets/host/rig mps2-an386 build/mps2-an386/float/firmware.elf build/bench/link-32 '{}'
build/bench/link-%: $(addprefix build/host/gcc-O2-%/tool/,$(BENCH_LINK))
	@mkdir -p $(@D)
	@$(call compile,gcc-O2-$*) $^ -o $@ -lm

bench-meeting: tools-test ## instructions of time to contact, events and loads, on the emulated Cortex-M4F, float
	@tests/bench/meeting mps2-an386

bench-robot: tools-test ## instructions of robots' steps over 10 s, whole, begin, sweep and end, on the emulated Cortex-M4F and M7, float
	@tests/bench/robot 10000 mps2-an386 mps2-an500

bench-deadline: tools-test ## an executive on a robot of TACTUS_DATA that nothing holds: steps cut, late, longest, by budget
	@tests/bench/deadline 10000

# capacities for the largest of these scenes
FIGURES_GEOMETRY := -DTAC_MAX_BODIES=100 -DTAC_MAX_SHAPES=101 -DTAC_MAX_CONTACTS=1600 -DTAC_MAX_FILL=0 -DTAC_MAX_POLYHEDRA=20 \
	-DTAC_MAX_POINTS=2700 -DTAC_MAX_FACES=5100 -DTAC_MAX_EDGES=15300 -DTAC_MAX_HEIGHTS=2500
figures-geometry: ## what the narrow phase reaches, each figure measured now: walls, slopes, terrain, coins, cones, pebbles
	@$(MAKE) -s $(JOBS) build/figures-geometry-64 build/figures-geometry-32
	@tests/figures/geometry
build/figures-geometry-%: tests/figures/geometry.c tests/tap.c port/posix/port.c $(wildcard tests/*.h tests/physics/*.h) $(KERNEL)
	@mkdir -p $(@D)
	@$(call compile,gcc-O2-$*) $(FIGURES_GEOMETRY) $(filter %.c,$^) -o $@

FIGURES_SIMBENCH := -DTAC_MAX_BODIES=216 -DTAC_MAX_SHAPES=217 -DTAC_MAX_CONTACTS=1500 -DTAC_MAX_FILL=0
figures-simbench: ## SimBenchmark's rolling, bouncing, 666 and elastic 666 beside the best published
	@$(MAKE) -s $(JOBS) build/figures-simbench-64 build/figures-simbench-32
	@tests/figures/simbench
build/figures-simbench-%: tests/figures/simbench.c tests/tap.c port/posix/port.c $(wildcard tests/*.h tests/physics/*.h) $(KERNEL)
	@mkdir -p $(@D)
	@$(call compile,gcc-O2-$*) $(FIGURES_SIMBENCH) $(filter %.c,$^) -o $@

figures-robots: ## SimBenchmark's quadruped, from its URDF file: momentum, energy, standing, steps a second
	@tests/figures/robots

# the capacities that scenes/robots.c is made for
FIGURES_SCENES := -DTAC_MAX_JOINTS=16 -DTAC_MAX_FILL=128 -DTAC_SWITCHES=1 -DTAC_FRICTION_LAWS=1 -DTAC_COORDINATES=1
figures-scenes: ## the robots of targets/scenes: sweeps a step, steps that are not solved, largest residual
	@$(MAKE) -s $(JOBS) build/figures-scenes-64 build/figures-scenes-32
	@tests/figures/scenes
build/figures-scenes-%: tests/figures/scenes.c targets/scenes/robots.c $(wildcard targets/scenes/*.h) $(KERNEL)
	@mkdir -p $(@D)
	@$(call compile,gcc-O2-$*) $(FIGURES_SCENES) $(filter %.c,$^) -o $@

figures-a1: tools-test ## an A1 from its URDF file on the host and on the emulated Cortex-M4F, to the bit
	@$(MAKE) -s $(JOBS) tactus
	@tests/figures/a1

FIGURES_SOLVERS := -DTAC_MAX_BODIES=100 -DTAC_MAX_SHAPES=106 -DTAC_MAX_CONTACTS=1000 -DTAC_MAX_FILL=1500
figures-solvers: ## what solvers of worlds reach and cost, each figure measured now
	@$(MAKE) -s $(JOBS) build/figures-solvers-64 build/figures-solvers-32
	@tests/figures/solvers
build/figures-solvers-%: tests/figures/solvers.c tests/tap.c port/posix/port.c $(wildcard tests/*.h tests/physics/*.h) $(KERNEL)
	@mkdir -p $(@D)
	@$(call compile,gcc-O2-$*) $(FIGURES_SOLVERS) $(filter %.c,$^) -o $@

figures-problems: ## where each method ends on the small measured contact problems of TACTUS_DATA, double and float
	@$(MAKE) -s $(JOBS) tactus
	@tests/figures/problems

FIGURES_PAPERS := -Itests/physics -DTAC_DAE=1 -DTAC_MAX_JOINTS=1 -DTAC_MAX_FILL=8 -DTAC_MAX_LCP=1000 -DTAC_MAX_NCP=60 -DTAC_ROLLING=1 -DTAC_MAX_SHAPES=1001 -DTAC_MAX_CONTACTS=1000 \
	-DTAC_MAX_POLYHEDRA=1000 -DTAC_MAX_POINTS=4000 -DTAC_MAX_FACES=4000 -DTAC_MAX_EDGES=12000
figures-flash: tools-test ## what each time stepper beside tac_step() adds to a program in flash
	@tests/figures/flash

figures-walk: tools-test ## how many functions and files of the kernel a step runs through
	@tests/figures/walk

figures-constants: ## which golden scenes feel the constants of the kernel, each doubled and halved (10 CPU minutes)
	@tests/figures/constants

figures-linear: tools-test ## what a linearisation and the derivative of a step cost beside the step
	@$(MAKE) -s tactus
	@tests/figures/linear

figures-methods: tools-test ## what a step of each time stepper costs beside the step of the cone program
	@$(MAKE) -s tactus
	@tests/figures/methods

figures-orders: ## convergence orders of the integrators of TCE17
	@mkdir -p build/figures
	@$(MAKE) -s build/host/gcc-O2-64/tests/physics/dae_order build/host/gcc-O2-32/tests/physics/dae_order
	@tests/figures/orders

figures-papers: tools-papers ## figures of the papers from runs of our own, with the analytic curves: build/figures/*.png and .csv
	@$(MAKE) -s build/figures-papers
	@mkdir -p build/figures
	@build/figures-papers build/figures && gnuplot -e "folder='build/figures'" tests/figures/papers.gp && ls build/figures/{t03,cbat07,nst17,tce17}*
build/figures-papers: tests/figures/papers.c $(KERNEL)
	@mkdir -p $(@D)
	@$(call compile,gcc-O2-64) $(FIGURES_PAPERS) tests/figures/papers.c src/tactus.c -o $@ -lm

figures: tools-test ## hold all pages against what is measured now: make figures [SOURCES='bench-robot ...'] (long)
	@tests/figures/check.py $(SOURCES)

bench-solvers: tools-bench ## residual against cost of every method on the measured contact problems of TACTUS_DATA
	@$(MAKE) -s $(JOBS) tactus
	@tests/bench/solvers

clean: ## remove build/
	rm -rf build

.PHONY: help page tactus firmware-host fmu npm python boards firmware board-tests board-kernel board-broad board-pairs board-firmware check test test-all test-programs rest-programs test-host test-emulated fuzz house demo demo-planner demo-walk demo-cartpole demo-hopper demo-tray demo-turn figures-kernel dist dist-sources install \
	figures-tolerance figures-geometry figures-simbench figures-robots figures-scenes figures-a1 figures-solvers figures-problems figures-flash figures-walk figures-constants figures-linear figures-methods figures-orders \
	figures-papers figures bench-broad bench-deadline bench-dynamics bench-ilqr bench-lcs bench-link bench-page bench-pairs bench-plan bench-questions bench-robot bench-solvers clean
endif
