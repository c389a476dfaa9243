# SPDX-License-Identifier: MIT
# configurations.mk - the kernels that tests share, by name: a test that says "// config: NAME" is linked to that one.
#   given   nothing
#   makes   configuration_NAME: the capacities, as flags of the compiler; CONFIGURATIONS: all names; flags-NAME prints them
#   bound   the kernel and the scenes are compiled once a configuration, and then linked many times
#   never   serves a test that is about room: that has flags of its own ("// config: -D...") and a kernel of its own
# A capacity is chosen for the test that needs most. Sizes that a run pays for (sanitizers and clang fill the work area
# before each step) are kept small: `large` is for those tests that need it.
configuration_default :=
configuration_robots := -DTAC_PREDICT=1 -DTAC_MAX_FIT=18 -DTAC_MAX_JOINTS=16 -DTAC_COORDINATES=1 -DTAC_MAX_FILL=128 -DTAC_MAX_REDUCED=96 -DTAC_MAX_CONTACTS=64 \
	-DTAC_MAX_POLYHEDRA=4 -DTAC_MAX_POINTS=64 -DTAC_MAX_FACES=120 -DTAC_MAX_EDGES=360
configuration_trees := -DTAC_MAX_JOINTS=24 -DTAC_MAX_BODIES=24 -DTAC_MAX_SHAPES=24 -DTAC_MAX_CONTACTS=64 \
	-DTAC_MAX_REDUCED=60
configuration_planner := -DTAC_PREDICT=1 -DTAC_MAX_JOINTS=12 -DTAC_MAX_BODIES=13 -DTAC_MAX_SHAPES=6 -DTAC_MAX_CONTACTS=8 -DTAC_MAX_REDUCED=24 \
	-DTAC_MAX_PATH=216 -DTAC_CONVEX=0 -DTAC_MAX_ACTIONS=1
configuration_room := -DTAC_MAX_JOINTS=6 -DTAC_MAX_FILL=4 -DTAC_DAE=1 -DTAC_MAX_BODIES=6 -DTAC_MAX_SHAPES=8
configuration_large := -DTAC_MAX_BODIES=216 -DTAC_MAX_SHAPES=217 -DTAC_MAX_CONTACTS=1600 -DTAC_MAX_FILL=800 \
	-DTAC_MAX_POLYHEDRA=20 -DTAC_MAX_POINTS=2600 -DTAC_MAX_FACES=5000 -DTAC_MAX_EDGES=15000 -DTAC_MAX_HULL_POINTS=1002 \
	-DTAC_MAX_HEIGHTS=2500 -DTAC_MAX_HEIGHT_FIELDS=4
configuration_all := -DTAC_MAX_SURFACES=3 -DTAC_MAX_JOINTS=16 -DTAC_SWITCHES=1 -DTAC_COORDINATES=1 -DTAC_MAX_FILL=128 -DTAC_ROLLING=1 -DTAC_FRICTION_LAWS=1 -DTAC_SOLVE=1 -DTAC_MAX_LCP=120 -DTAC_MAX_NCP=220 \
	-DTAC_DAE=1 -DTAC_PREDICT=1 -DTAC_HEIGHT_BITS=0 -DTAC_MAX_HULL_POINTS=110 -DTAC_MAX_POINTS=110 -DTAC_MAX_FACES=220 -DTAC_MAX_EDGES=660
CONFIGURATIONS := $(patsubst configuration_%,%,$(filter configuration_%,$(.VARIABLES)))

# The tool, which scripts link too, has a kernel of its own: one that solves problems without a world, with room for large ones, and
# for robots. No test program names it.
configuration_tool := -DTAC_MAX_SURFACES=64 -DTAC_FRICTION_LAWS=1 -DTAC_MAX_BODIES=128 -DTAC_MAX_SHAPES=1024 -DTAC_MAX_CONTACTS=256 -DTAC_MAX_EXCLUSIONS=8000 \
	-DTAC_MAX_MATERIALS=64 -DTAC_MAX_MATERIAL_PAIRS=64 -DTAC_MAX_HEIGHTS=262144 -DTAC_MAX_HEIGHT_FIELDS=4 \
	-DTAC_MAX_POLYHEDRA=512 -DTAC_MAX_POINTS=20000 -DTAC_MAX_FACES=30000 -DTAC_MAX_EDGES=60000 \
	-DTAC_MAX_HULL_POINTS=1000 -DTAC_MAX_JOINTS=128 -DTAC_SWITCHES=1 -DTAC_COORDINATES=1 -DTAC_MAX_REDUCED=112 -DTAC_MAX_FILL=512 \
	-DTAC_SOLVE=1 -DTAC_MAX_SOLVE_BLOCKS=2048 -DTAC_MAX_SOLVE_ROWS=6144 -DTAC_MAX_SOLVE_ENTRIES=32768 \
	-DTAC_MAX_SOLVE_VALUES=294912 -DTAC_MAX_SOLVE_FACTOR=4000000 -DTAC_MAX_LCP=400 -DTAC_MAX_NCP=400 -DTAC_DAE=1 \
	-DTAC_PREDICT=1 -DTAC_MAX_FIT_ROWS=6000 -DTAC_MAX_FIT=40

# The page, targets/page: what the tool has for worlds, to the same bits, and room for a hundred bricks.
configuration_page := -DTAC_MAX_SURFACES=64 -DTAC_FRICTION_LAWS=1 -DTAC_MAX_BODIES=256 -DTAC_MAX_SHAPES=1024 -DTAC_MAX_CONTACTS=1600 -DTAC_MAX_EXCLUSIONS=8000 \
	-DTAC_MAX_MATERIALS=64 -DTAC_MAX_MATERIAL_PAIRS=64 \
	-DTAC_MAX_POLYHEDRA=512 -DTAC_MAX_POINTS=20000 -DTAC_MAX_FACES=30000 -DTAC_MAX_EDGES=60000 -DTAC_MAX_HEIGHTS=16384 \
	-DTAC_MAX_HULL_POINTS=1000 -DTAC_MAX_HEIGHT_FIELDS=4 -DTAC_MAX_JOINTS=128 -DTAC_SWITCHES=1 -DTAC_COORDINATES=1 -DTAC_MAX_REDUCED=112 -DTAC_MAX_FILL=1500 \
	-DTAC_MAX_LCP=400 -DTAC_MAX_NCP=400 -DTAC_DAE=1 -DTAC_PREDICT=1

# for scripts: make -s -f tests/configurations.mk flags-NAME
flags-%:
	@echo '$(configuration_$*)'
