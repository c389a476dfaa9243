#!/bin/bash
# SPDX-License-Identifier: MIT
# kernel.t - what the kernel's object promises on each board; the smallest and the largest configuration.
#   given   the board compilers, gcc
#   makes   TAP
#   bound   two dozen compilations of the kernel, and three with hostile flags
#   never   runs on a board: the test programs do
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
out=build/tests/kernel
mkdir -p $out

# ------------------------------------------------------------------------------------------------------ kernel objects

shared() { # BOARD PRECISION: the object of the configuration `all` that the tests of that board share
    local path=build/$1/$2/obj/all/src/tactus.o
    MAKEFLAGS='' make -s BOARD="$1" PRECISION="$2" "$path" >&2
    echo "$path"
}
object() { # BOARD PRECISION LEVEL [DEFINE]: builds the kernel alone and prints its object
    local variables=(BOARD="$1" PRECISION="$2" OPT="$3" DEFINES="${4:-}") path
    [ -z "${4:-}" ] || variables+=(BOARD_OUT="build/$1/$2$3$(tr = - <<<"${4// /}")") # make takes a target with = for a variable
    path=$(MAKEFLAGS='' make -s -f targets/board.mk "${variables[@]}" print-BOARD_OBJ)/src/tactus.o
    MAKEFLAGS='' make -s -f targets/board.mk "${variables[@]}" "$path" >&2
    echo "$path"
}
at_most() { # LIMIT FIGURE
    [ "$2" -le "$1" ] || { echo "$2, more than $1"; return 1; }
}
alone() { # PREFIX OBJECT: object.sh passes, and nothing is called from outside but soft float
    local said
    said=$(tests/size/object.sh "$1" "$2") && ! grep calls <<<"$said"
}

bounded() { # LIMIT OBJECT [--root MORE]: the stack of the public functions
    tests/size/stack.py --limit "$1" --root tac_step --root tac_check --root tac_model_seal_for --root tac_model_mass_from_shapes \
        --root tac_model_add_hull --root tac_model_add_mesh --root tac_model_add_height_field --root tac_cast --root tac_distance \
        --root tac_overlap --root tac_contacts --root tac_certify --root tac_self_test --root tac_least_norm \
        --root tac_mass_matrix --root tac_forward_dynamics --root tac_inverse_dynamics --root tac_gravity_effort --root tac_jacobian \
        --root tac_body_point --root tac_frame_motion --root tac_frame_jacobian --root tac_centroidal --root tac_body_force --root tac_state_adopt --root tac_shape_force --root tac_step_accelerations \
        --root tac_state_get_coordinates --root tac_state_set_coordinates "${@:3}" "${2%.o}.ci"
}

# The README's flags, and nothing else: `cc -std=c99 -O2 ... -Iinclude contact.c src/tactus.c`
read -r -a printed < <(sed -n 's/^cc \(-std=c99 .* -Iinclude\) contact\.c .*/\1/p' README.md)
as_printed() { # BOARD PRECISION LEVEL DEFINE...: builds the kernel with these for the core of a board and prints its object
    local file=$out/printed-$1-$2$3.o core bits=32
    [ "$2" = float ] || bits=64
    core=$(MAKEFLAGS='' make -s -f targets/board.mk BOARD="$1" print-BOARD_CFLAGS)
    # shellcheck disable=SC2086
    "${prefix}gcc" $core -ffreestanding "${printed[@]/#-O2/$3}" -DTAC_REAL_BITS=$bits "${@:4}" -c src/tactus.c -o "$file"
    echo "$file"
}
robot=(-DTAC_MAX_JOINTS=12)
everything=("${robot[@]}" -DTAC_MAX_FILL=64 -DTAC_SOLVE=1 -DTAC_ROLLING=1 -DTAC_MAX_LCP=40 -DTAC_MAX_NCP=40 -DTAC_DAE=1)

for target in mps2-an385.float mps2-an386.float mps2-an500.float mps2-an500.double rv32imafc.float; do
    board=${target%.*} precision=${target#*.}
    prefix=$(MAKEFLAGS='' make -s -f targets/board.mk BOARD=$board print-BOARD_PREFIX)
    # what can be asked for, at once: joints, the direct solver, rolling, problems without a world
    check "$target -O2, everything: no C library, no data, nothing fused" alone "$prefix" "$(shared $board "$precision")"
    case $target in mps2-an385.float | mps2-an500.float) continue ;; esac # as their neighbours
    file=$(as_printed $board "$precision" -O2 "${robot[@]}")
    check "$target, the README's flags, a robot: no C library, no data, nothing fused" alone "$prefix" "$file"
    file=$(as_printed $board "$precision" -Os "${everything[@]}")
    check "$target, the README's flags with -Os, everything: no C library, no data, nothing fused" alone "$prefix" "$file"
done

# On this machine pages.t builds what the README prints. The shared kernels have its flags too.
for kernel in gcc-O2-32/all gcc-O2-64/robots clang-O2-32/default clang-O2-64/default; do
    file=build/host/$kernel/src/tactus.o
    MAKEFLAGS='' make -s $file >&2
    check "$kernel: no C library, no data, nothing fused" alone '' $file
done

clang "${printed[@]/#-O2/-Os}" "${everything[@]}" -c src/tactus.c -o $out/printed-clang.o
check "clang, the README's flags with -Os, everything: no C library, no data, nothing fused" alone '' $out/printed-clang.o

# Flags of somebody who cannot set them, or sets others: no product is fused, and the bits are those of the golden tables.
hostile() { # OBJECT COMPILER FLAG...
    "$2" "${@:3}" -w -Iinclude -c src/tactus.c -o "$1" && tests/size/object.sh "$prefix" "$1"
}
golden_here() { # VARIANT OBJECT: the golden test with that kernel in place of its own
    local test=build/host/$1/tests/golden/golden objects
    MAKEFLAGS='' make -s "$test" >&2
    objects=$(printf "build/host/$1/default/%s.o " tests/golden/golden tests/tap targets/scenes/scenes port/posix/port)
    # shellcheck disable=SC2086
    gcc $objects "$2" -lm -o "${2%.o}" && tests/run host "${2%.o}"
}
golden_on_board() { # OBJECT: on the Cortex-M4F
    local make=(make -s -f targets/board.mk BOARD=mps2-an386 PRECISION=float) objects=()
    for file in tests/golden/golden tests/tap targets/scenes/scenes $(MAKEFLAGS='' "${make[@]}" print-BOARD_SOURCES); do
        objects+=("build/mps2-an386/float/obj/${file%.*}.o")
    done
    MAKEFLAGS='' make -s BOARD=mps2-an386 PRECISION=float build/mps2-an386/float/tests/golden/golden.elf >&2
    arm-none-eabi-gcc $(MAKEFLAGS='' "${make[@]}" print-BOARD_CFLAGS) -nostdlib -Wl,--gc-sections -T targets/mps2-an386/link.ld \
        "${objects[@]}" "$1" -lgcc -o "${1%.o}.elf" && tests/run mps2-an386 "${1%.o}.elf"
}
prefix=''
check "gcc -O3 -march=haswell -ffp-contract=fast: nothing fused" hostile $out/hostile-gcc.o gcc -std=gnu17 -O3 -march=haswell -ffp-contract=fast
check "clang -O3 -march=haswell: nothing fused" hostile $out/hostile-clang.o clang -O3 -march=haswell -DTAC_REAL_BITS=64
if grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo; then
    check "and its bits" golden_here gcc-O2-32 $out/hostile-gcc.o
    check "and those of clang" golden_here gcc-O2-64 $out/hostile-clang.o
fi
prefix=arm-none-eabi-
core="-mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard -mthumb -mno-unaligned-access -ffreestanding"
# shellcheck disable=SC2086
check "Cortex-M4F as an IDE compiles it: nothing fused" hostile $out/hostile-arm.o arm-none-eabi-gcc $core -std=gnu11 -Os -ffunction-sections
check "and its bits" golden_on_board $out/hostile-arm.o
target=mps2-an386.float board=mps2-an386 precision=float
for level in -O2 -Os; do
    file=$(object $board $precision $level)
    check "$target $level: no C library, no data, nothing fused" alone arm-none-eabi- "$file"
    check "$target $level: stack at most 1.75 KiB" bounded 1792 "$file" --root tac_implicit_closest_v0_2_r32_i6
    simple=$(object $board $precision $level -DTAC_CONVEX=0)
    check "$target $level, TAC_CONVEX 0: stack at most 1.25 KiB" bounded 1280 "$simple"
    simple=$(object $board $precision $level "-DTAC_CONVEX=0 -DTAC_ROLLING=1")
    check "$target $level, TAC_CONVEX 0, TAC_ROLLING 1: stack at most 1.25 KiB" bounded 1280 "$simple"
done
check "$target -O2, everything: stack of problems at most 1 KiB" tests/size/stack.py --limit 1024 \
    --root tac_solve_for_v0_2_r32 "$(shared $board $precision | sed 's/o$/ci/')"
check "$target -O2, everything: stack of the steps and questions of T03 and TCE17 at most 1.75 KiB" tests/size/stack.py --limit 1792 \
    --root tac_step_lcp --root tac_qualify --root tac_accelerations --root tac_lcp_solve --root tac_step_dae "$(shared $board $precision | sed 's/o$/ci/')"
check "$target -Os, TAC_CONVEX 0, TAC_MAX_LCP: stack of the step of T03 and of tac_qualify at most 1 KiB" tests/size/stack.py --limit 1024 \
    --root tac_step_lcp --root tac_qualify --root tac_lcp_solve "$(object $board $precision -Os "-DTAC_CONVEX=0 -DTAC_MAX_LCP=24" | sed 's/o$/ci/')"
check "$target -Os, TAC_SOLVE 1: stack of problems at most 1 KiB" tests/size/stack.py --limit 1024 \
    --root tac_solve_for_v0_2_r32 "$(object $board $precision -Os "-DTAC_SOLVE=1 -DTAC_ROLLING=1" | sed 's/o$/ci/')"
text=$(tests/size/linked arm-none-eabi- "$(object mps2-an386 float -Os -DTAC_CONVEX=0)")
check "mps2-an386.float -Os, TAC_CONVEX 0, no questions asked: flash at most 48 KiB" at_most 49152 "$text"

# ------------------------------------------------------------------------------------------------------- configurations

flags="-std=c99 -pedantic -Wall -Wextra -Wconversion -Werror -ffp-contract=off -fno-tree-vectorize -fno-math-errno -Iinclude"
# The smallest at -O2, where gcc follows indices into tables of one; the others at -O1, since the largest has to run.
configuration() { # BODIES SHAPES CONTACTS MATERIALS PAIRS ACTIONS EXCLUSIONS POLYHEDRA POINTS FACES EDGES HULL_POINTS FIELDS HEIGHTS INEQUALITIES
    local knob
    for knob in BODIES SHAPES CONTACTS MATERIALS MATERIAL_PAIRS ACTIONS EXCLUSIONS POLYHEDRA POINTS FACES EDGES HULL_POINTS HEIGHT_FIELDS HEIGHTS INEQUALITIES; do
        echo "-DTAC_MAX_$knob=$1"
        shift
    done
}
smallest=$(configuration 1 2 1 1 1 1 1 1 4 4 12 4 1 4 1)
largest=$(configuration 4000 8000 16000 250 250 8000 8000 4000 60000 30000 60000 1000 250 16000000 16)
smallest+=" -DTAC_SOLVE=1 -DTAC_MAX_SOLVE_BLOCKS=1 -DTAC_MAX_SOLVE_ROWS=1 -DTAC_MAX_SOLVE_ENTRIES=1 -DTAC_MAX_SOLVE_VALUES=1 -DTAC_MAX_SOLVE_FACTOR=0 -DTAC_MAX_LCP=6 -DTAC_MAX_NCP=9"
largest+=" -DTAC_ROLLING=1 -DTAC_SOLVE=1 -DTAC_MAX_SOLVE_BLOCKS=16000 -DTAC_MAX_SOLVE_ROWS=64000 -DTAC_MAX_SOLVE_ENTRIES=4000000 -DTAC_MAX_SOLVE_VALUES=100000000 -DTAC_MAX_SOLVE_FACTOR=100000000 -DTAC_MAX_LCP=1000 -DTAC_MAX_NCP=1000"
for bits in 32 64; do
    for convex in 1 0; do
        for name in smallest largest; do
            level=-O1
            [ $name.$convex != smallest.1 ] || level=-O2
            # shellcheck disable=SC2206
            options=($level $flags -DTAC_REAL_BITS=$bits -DTAC_CONVEX=$convex ${!name})
            program=$out/$name-$convex-$bits
            check "$bits bits, TAC_CONVEX $convex: the $name configuration compiles" gcc "${options[@]}" -c src/tactus.c -o $program.o
            gcc "${options[@]}" tests/size/capacity.c $program.o -o $program
            check "$bits bits, TAC_CONVEX $convex: it fills its tables and steps" $program
        done
    done
done

for bits in 32 64; do
    for capacities in 'BODIES=1 SHAPES=2 CONTACTS=1 JOINTS=1 FILL=1' 'BODIES=4000 JOINTS=4000 FILL=60000'; do
        # shellcheck disable=SC2086
        gcc -O1 $flags -DTAC_REAL_BITS=$bits -DTAC_ROLLING=1 $(printf -- '-DTAC_MAX_%s ' $capacities) tests/size/joints.c \
            src/tactus.c -o $out/joints
        check "$bits bits: $capacities: as many joints step" $out/joints
    done
done

# pages.t runs the programs of the README as they are printed, in float; here they run in double, with a kernel that tests share.
programs=$(awk -v out=$out '/^```c$/ { file = out "/readme-" ++n ".c"; next } /^```$/ { file = "" } file { print >file } END { print n + 0 }' README.md)
check "the README has two programs" [ "$programs" = 2 ]
for ((number = 1; number <= programs; number++)); do
    # shellcheck disable=SC2046,SC2086
    check "64 bits: program $number of the README compiles" gcc $flags "$out/readme-$number.c" $(kernel robots 64) -o "$out/readme-$number"
    check "64 bits: and ends well" "$out/readme-$number"
done

out_of_range() { # DEFINE
    # shellcheck disable=SC2086
    ! gcc $flags "$1" -fsyntax-only src/tactus.c 2>$out/told && grep -q '#error' $out/told
}
for define in -DTAC_REAL_BITS=16 -DTAC_MAX_BODIES=0 -DTAC_MAX_SHAPES=1 -DTAC_MAX_SHAPES=8001 -DTAC_MAX_CONTACTS=0 -DTAC_MAX_MATERIALS=251 \
    -DTAC_MAX_MATERIAL_PAIRS=0 -DTAC_MAX_ACTIONS=0 -DTAC_MAX_EXCLUSIONS=0 -DTAC_MAX_EXCLUSIONS=8001 -DTAC_CONVEX=2 -DTAC_ROLLING=2 \
    -DTAC_MAX_POLYHEDRA=0 -DTAC_MAX_POLYHEDRA=4001 -DTAC_MAX_POINTS=3 -DTAC_MAX_POINTS=60001 -DTAC_MAX_FACES=3 -DTAC_MAX_FACES=30001 \
    -DTAC_MAX_EDGES=11 -DTAC_MAX_EDGES=60001 -DTAC_MAX_HULL_POINTS=3 -DTAC_MAX_HULL_POINTS=10001 -DTAC_MAX_HEIGHT_FIELDS=0 \
    -DTAC_MAX_HEIGHT_FIELDS=251 -DTAC_MAX_HEIGHTS=3 -DTAC_MAX_HEIGHTS=16000001 -DTAC_HEIGHT_BITS=32 -DTAC_SOLVE=2 \
    -DTAC_MAX_INEQUALITIES=0 -DTAC_MAX_INEQUALITIES=17 \
    -DTAC_MAX_SOLVE_BLOCKS=0 -DTAC_MAX_SOLVE_BLOCKS=16001 -DTAC_MAX_SOLVE_ROWS=0 -DTAC_MAX_SOLVE_ROWS=64001 -DTAC_MAX_SOLVE_ENTRIES=0 \
    -DTAC_MAX_SOLVE_ENTRIES=4000001 -DTAC_MAX_SOLVE_VALUES=0 -DTAC_MAX_SOLVE_VALUES=100000001 -DTAC_MAX_SOLVE_FACTOR=-1 \
    -DTAC_MAX_SOLVE_FACTOR=100000001 -DTAC_MAX_LCP=-1 -DTAC_MAX_LCP=5 -DTAC_MAX_LCP=1001 \
    -DTAC_MAX_NCP=-1 -DTAC_MAX_NCP=8 -DTAC_MAX_NCP=1001 -DTAC_DAE=1 -DTAC_DAE=2 -ffast-math; do
    check "$define is refused" out_of_range $define
done

misspelt() { # NAME
    ! gcc -E -Iinclude "-D$1=4" -x c include/tactus/config.h >/dev/null 2>$out/told && grep -q 'that is no knob' $out/told
}
# each knob TAC_MAX_THINGS without MAX, and of one thing; words for the precision
for name in $(sed -n 's/^#ifndef TAC_MAX_\([A-Z_]*\)$/TAC_\1 TAC_MAX_\1/p' include/tactus/config.h | sed 's/IES$/Y/; s/HEDRA$/HEDRON/; s/S$//') \
    TAC_FLOAT TAC_DOUBLE TAC_PRECISION TAC_REAL TAC_MAX_SOLVE TAC_MAX_DAE TAC_MAX_ROLLING TAC_MAX_CONVEX; do
    grep -q "^#ifndef $name\$" include/tactus/config.h || check "$name is no knob" misspelt "$name"
done
finish
