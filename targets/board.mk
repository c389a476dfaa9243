# SPDX-License-Identifier: MIT
# board.mk - programs for one board: build/BOARD/PRECISION/NAME.elf (with -Os: PRECISION-Os). Run from the top.
#   given   BOARD (a folder of targets/), PRECISION (float, double), OPT (-O2 ...), DEFINES (-D... for all sources)
#           SYSTEM (freertos; none: bare metal)
#   makes   $(call board_program,NAME,SOURCES[,CONFIGURATION]): rules for one program; start-up code and port are added.
#           CONFIGURATION is one of tests/configurations.mk, where that is included
#           alone:  make -f targets/board.mk BOARD=mps2-an386 PROGRAM=NAME SOURCES='A.c B.c'; without SOURCES the firmware
#           print-VARIABLE: its value
#   bound   an object is compiled once per board and precision and shared by all programs
#   never   links a C library
include targets/$(BOARD)/target.mk
ifdef SYSTEM
include port/$(SYSTEM)/$(SYSTEM).mk
endif

PRECISION ?= float
OPT ?= -O2
BOARD_OUT := build/$(BOARD)/$(PRECISION)$(filter-out -O2,$(OPT))
BOARD_OBJ := $(BOARD_OUT)/obj
BOARD_MK := targets/board.mk targets/$(BOARD)/target.mk
BOARD_BITS_float := 32
BOARD_BITS_double := 64
BOARD_WARNINGS := -pedantic -Wall -Wextra -Wconversion -Wsign-conversion -Wdouble-promotion -Wshadow -Wundef \
	-Wmissing-prototypes -Wvla -Wcast-align -Werror
BOARD_FLAGS := -std=c99 $(OPT) $(BOARD_CFLAGS) -ffp-contract=off -fno-tree-vectorize -fno-math-errno -fno-common \
	-fno-inline-functions-called-once \
	-ffreestanding -ffunction-sections -fdata-sections -fstack-usage -fcallgraph-info=su -g1 $(BOARD_WARNINGS) \
	-Iinclude -Iport -Itargets/$(BOARD) -Itargets/scenes -Itests -DTAC_REAL_BITS=$(BOARD_BITS_$(PRECISION)) $(DEFINES)

board_objects = $(patsubst %,$(BOARD_OBJ)/%.o,$(basename $(1)))
board_program = $(eval $(BOARD_OUT)/$(1).elf: $(call board_objects,$(addprefix $(addsuffix /,$(3)),$(2)) $(BOARD_SOURCES)))

# The firmware has these sources on every board; on the host the link needs what talks to it too.
FIRMWARE_SOURCES := targets/firmware/main.c $(filter-out port/link/client.c,$(wildcard port/link/*.c)) src/tactus.c

ifdef PROGRAM
SOURCES ?= $(FIRMWARE_SOURCES)
$(call board_program,$(PROGRAM),$(SOURCES))
endif

$(BOARD_OUT)/%.elf: targets/$(BOARD)/link.ld $(wildcard port/*/*.ld) $(BOARD_MK)
	@mkdir -p $(@D)
	$(BOARD_CC) $(BOARD_CFLAGS) -nostdlib -nostartfiles -Wl,--gc-sections $(BOARD_LDFLAGS) -T $< \
		$(filter %.o,$^) -lgcc -o $@

$(BOARD_OBJ)/%.o: %.c $(BOARD_MK)
	@mkdir -p $(@D)
	$(BOARD_CC) $(BOARD_FLAGS) -MD -MP -c $< -o $@

define board_configuration
$(BOARD_OBJ)/$(1)/%.o: %.c $(BOARD_MK) tests/configurations.mk
	@mkdir -p $$(@D)
	$(BOARD_CC) $$(BOARD_FLAGS) $$(configuration_$(1)) -MD -MP -c $$< -o $$@
endef
$(foreach c,$(CONFIGURATIONS),$(eval $(call board_configuration,$(c))))

$(BOARD_OBJ)/%.o: %.S $(BOARD_MK)
	@mkdir -p $(@D)
	$(BOARD_CC) $(BOARD_FLAGS) -MD -MP -c $< -o $@

print-%:
	@echo '$($*)'

.PRECIOUS: $(BOARD_OBJ)/%.o

# last: the first rule of this file is what a bare make of it builds
-include $(shell find $(BOARD_OBJ) -name '*.d' 2>/dev/null)
