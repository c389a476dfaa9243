#!/bin/bash
# SPDX-License-Identifier: MIT
# kernel.t - what the kernel's object promises on the board of the front page: no C library, stack, flash. Which knobs are legal.
#   given   the board's compiler, gcc
#   makes   TAP
#   bound   nine compilations of the kernel
#   never   runs on a board: the test programs do. Other boards and compilers: targets.t; other capacities: capacity.t
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
. tests/size/kernels.sh
out=build/tests/kernel
mkdir -p $out

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
untrapped() { # PREFIX OBJECT: gcc traps where a table that the configuration does not have would be used
    ! "$1objdump" -d --no-show-raw-insn "$2" | grep -qE '\b(ud2|udf|ebreak)\b'
}

bounded() { # LIMIT OBJECT [--root MORE]: the stack of the public functions
    tests/size/stack.py --limit "$1" --root tac_step --root tac_check --root tac_model_seal_for --root tac_model_mass_from_shapes \
        --root tac_model_add_hull --root tac_model_add_mesh --root tac_model_add_height_field --root tac_cast --root tac_distance \
        --root tac_overlap --root tac_contacts --root tac_certify --root tac_self_test --root tac_least_norm \
        --root tac_mass_matrix --root tac_forward_dynamics --root tac_inverse_dynamics --root tac_gravity_effort --root tac_jacobian \
        --root tac_body_point --root tac_frame_motion --root tac_frame_jacobian --root tac_centroidal --root tac_body_force --root tac_state_adopt --root tac_shape_force --root tac_step_accelerations \
        --root tac_state_get_coordinates --root tac_state_set_coordinates "${@:3}" "${2%.o}.ci"
}

target=mps2-an386.float board=mps2-an386 precision=float prefix=arm-none-eabi-
file=$(as_printed $board $precision -O2 "${robot[@]}")
check "$target, the README's flags, a robot: no C library, no data, nothing fused" alone $prefix "$file"
for level in -O2 -Os; do
    file=$(object $board $precision $level)
    check "$target $level: no C library, no data, nothing fused" alone $prefix "$file"
    check "$target $level: stack at most 1.75 KiB" bounded 1792 "$file" --root tac_implicit_closest_v0_2_r32_i6
    simple=$(object $board $precision $level -DTAC_CONVEX=0)
    check "$target $level, TAC_CONVEX 0, no joints: no table is used that is not there" untrapped arm-none-eabi- "$simple"
    check "$target $level, TAC_CONVEX 0: stack at most 1.25 KiB" bounded 1280 "$simple"
    simple=$(object $board $precision $level "-DTAC_CONVEX=0 -DTAC_ROLLING=1")
    check "$target $level, TAC_CONVEX 0, TAC_ROLLING 1: stack at most 1.25 KiB" bounded 1280 "$simple"
done
check "$target -O2, everything: stack of problems at most 1 KiB" tests/size/stack.py --limit 1024 \
    --root tac_solve_for_v0_2_r32 "$(shared $board $precision | sed 's/o$/ci/')"
check "$target -O2, everything: stack of the steps and questions of T03 and TCE17 at most 1824 B" tests/size/stack.py --limit 1824 \
    --root tac_step_lcp --root tac_qualify --root tac_accelerations --root tac_lcp_solve --root tac_step_dae "$(shared $board $precision | sed 's/o$/ci/')"
check "$target -Os, TAC_CONVEX 0, TAC_MAX_LCP: stack of the step of T03 and of tac_qualify at most 1 KiB" tests/size/stack.py --limit 1024 \
    --root tac_step_lcp --root tac_qualify --root tac_lcp_solve "$(object $board $precision -Os "-DTAC_CONVEX=0 -DTAC_MAX_LCP=24" | sed 's/o$/ci/')"
check "$target -Os, TAC_SOLVE 1: stack of problems at most 1 KiB" tests/size/stack.py --limit 1024 \
    --root tac_solve_for_v0_2_r32 "$(object $board $precision -Os "-DTAC_SOLVE=1 -DTAC_ROLLING=1" | sed 's/o$/ci/')"
linked() { tests/size/linked $prefix "$(object $board $precision -Os "$*")"; }
check "$target -Os, TAC_CONVEX 0, no questions asked: flash at most 58.5 KiB" at_most 59904 "$(linked -DTAC_CONVEX=0)"
check "$target -Os, no Newton's method either: flash at most 50 KiB" at_most 51200 "$(linked -DTAC_CONVEX=0 -DTAC_MAX_FILL=0)"

flags="-std=c99 -pedantic -Wall -Wextra -Wconversion -Werror -ffp-contract=off -fno-tree-vectorize -fno-math-errno -Iinclude"
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
    ! gcc $flags "$1" -Wfatal-errors -fsyntax-only src/tactus.c 2>$out/told && grep -q '#error' $out/told
}
for define in -DTAC_REAL_BITS=16 -DTAC_MAX_BODIES=0 -DTAC_MAX_SHAPES=1 -DTAC_MAX_SHAPES=8001 -DTAC_MAX_CONTACTS=0 -DTAC_MAX_MATERIALS=251 \
    -DTAC_MAX_MATERIAL_PAIRS=0 -DTAC_MAX_ACTIONS=0 -DTAC_MAX_EXCLUSIONS=0 -DTAC_MAX_EXCLUSIONS=8001 -DTAC_CONVEX=2 -DTAC_ROLLING=2 -DTAC_FRICTION_LAWS=2 \
    -DTAC_MAX_POLYHEDRA=0 -DTAC_MAX_POLYHEDRA=4001 -DTAC_MAX_POINTS=3 -DTAC_MAX_POINTS=60001 -DTAC_MAX_FACES=3 -DTAC_MAX_FACES=30001 \
    -DTAC_MAX_EDGES=11 -DTAC_MAX_EDGES=60001 -DTAC_MAX_HULL_POINTS=3 -DTAC_MAX_HULL_POINTS=10001 -DTAC_MAX_HEIGHT_FIELDS=0 \
    -DTAC_MAX_HEIGHT_FIELDS=251 -DTAC_MAX_HEIGHTS=3 -DTAC_MAX_HEIGHTS=16000001 -DTAC_HEIGHT_BITS=32 -DTAC_SOLVE=2 \
    -DTAC_MAX_INEQUALITIES=0 -DTAC_MAX_INEQUALITIES=17 \
    -DTAC_MAX_SOLVE_BLOCKS=0 -DTAC_MAX_SOLVE_BLOCKS=16001 -DTAC_MAX_SOLVE_ROWS=0 -DTAC_MAX_SOLVE_ROWS=64001 -DTAC_MAX_SOLVE_ENTRIES=0 \
    -DTAC_MAX_SOLVE_ENTRIES=4000001 -DTAC_MAX_SOLVE_VALUES=0 -DTAC_MAX_SOLVE_VALUES=100000001 -DTAC_MAX_SOLVE_FACTOR=-1 \
    -DTAC_MAX_SOLVE_FACTOR=100000001 -DTAC_MAX_LCP=-1 -DTAC_MAX_LCP=5 -DTAC_MAX_LCP=1001 \
    -DTAC_MAX_SURFACES=-1 -DTAC_MAX_SURFACES=8001 -DTAC_MAX_NCP=-1 -DTAC_MAX_NCP=8 -DTAC_MAX_NCP=1001 -DTAC_DAE=1 -DTAC_DAE=2 -ffast-math; do
    check "$define is refused" out_of_range $define
done

misspelt() { # NAME
    ! gcc -E -Iinclude "-D$1=4" -x c include/tactus/config.h >/dev/null 2>$out/told && grep -q 'that is no knob' $out/told
}
# each knob TAC_MAX_THINGS without MAX, and of one thing; words for the precision
for name in $(sed -n 's/^#ifndef TAC_MAX_\([A-Z_]*\)$/TAC_\1 TAC_MAX_\1/p' include/tactus/config.h | sed 's/IES$/Y/; s/HEDRA$/HEDRON/; s/S$//') \
    TAC_FLOAT TAC_DOUBLE TAC_PRECISION TAC_REAL TAC_MAX_SOLVE TAC_MAX_DAE TAC_MAX_ROLLING TAC_FRICTION_LAW TAC_MAX_CONVEX; do
    grep -q "^#ifndef $name\$" include/tactus/config.h || check "$name is no knob" misspelt "$name"
done
finish
