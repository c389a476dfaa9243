#!/bin/bash
# SPDX-License-Identifier: MIT
# kernel.t - what the kernel's object promises on each board; the smallest and the largest configuration; a mismatch.
#   given   the board compilers, gcc
#   makes   TAP
#   bound   two dozen compilations of the kernel
#   never   runs on a board: the test programs do
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
out=build/tests/kernel
mkdir -p $out

# ------------------------------------------------------------------------------------------------------ kernel objects

object() { # BOARD PRECISION LEVEL: builds the kernel alone and prints its object
    local variables=(BOARD="$1" PRECISION="$2" OPT="$3" DEFINES=) path
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

for target in mps2-an385.float mps2-an386.float mps2-an500.float mps2-an500.double rv32imafc.float; do
    board=${target%.*} precision=${target#*.}
    prefix=$(MAKEFLAGS='' make -s -f targets/board.mk BOARD=$board print-BOARD_PREFIX)
    for level in -O2 -Os; do
        file=$(object $board "$precision" $level)
        if [ $board.$level = rv32imafc.-Os ]; then # there gcc copies even small structs by memcpy
            check "$target $level: no C library but memcpy, no data" tests/size/object.sh "$prefix" "$file"
        else
            check "$target $level: no C library, no data, nothing fused" alone "$prefix" "$file"
        fi
        if [ $target = mps2-an386.float ]; then
            check "$target $level: stack at most 1 KiB" tests/size/stack.py --limit 1024 --root tac_step --root tac_check --root tac_model_seal \
                --root tac_model_mass_from_shapes --root tac_implicit_closest_r32_i6 "${file%.o}.ci"
        fi
    done
done
text=$("${prefix/riscv64-unknown-elf/arm-none-eabi}size" "$(object mps2-an386 float -Os)" | awk 'NR == 2 { print $1 }')
beside=0 # implicit bodies: the linker leaves them out of a program that does not call them
while read -r size; do beside=$((beside + 16#$size)); done < <("${prefix/riscv64-unknown-elf/arm-none-eabi}nm" -S \
    "$(object mps2-an386 float -Os)" | awk '$4 ~ /^(tac_implicit|implicit_|interior_|inequality_|lu_)/ { print $2 }')
check "mps2-an386.float -Os: flash at most 24 KiB without implicit bodies" at_most 24576 "$((text - beside))"
check "mps2-an386.float -Os: and at most 12 KiB for these" at_most 12288 "$beside"

# ------------------------------------------------------------------------------------------------------- configurations

flags="-std=c99 -pedantic -Wall -Wextra -Wconversion -Werror -O2 -ffp-contract=off -fno-tree-vectorize -fno-math-errno -Iinclude"
smallest="-DTAC_MAX_BODIES=1 -DTAC_MAX_SHAPES=2 -DTAC_MAX_CONTACTS=1 -DTAC_MAX_MATERIALS=1 -DTAC_MAX_MATERIAL_PAIRS=1 -DTAC_MAX_ACTIONS=1 -DTAC_MAX_INEQUALITIES=1"
largest="-DTAC_MAX_BODIES=4000 -DTAC_MAX_SHAPES=8000 -DTAC_MAX_CONTACTS=16000 -DTAC_MAX_MATERIALS=250 -DTAC_MAX_MATERIAL_PAIRS=250 -DTAC_MAX_ACTIONS=8000 -DTAC_MAX_INEQUALITIES=16"
for bits in 32 64; do
    # shellcheck disable=SC2086
    for name in smallest largest; do
        check "$bits bits: the $name configuration compiles" \
            gcc $flags -DTAC_REAL_BITS=$bits ${!name} -c src/tactus.c -o $out/$name-$bits.o
        gcc $flags -DTAC_REAL_BITS=$bits ${!name} tests/size/capacity.c $out/$name-$bits.o -o $out/capacity-$name-$bits
        check "$bits bits: the $name configuration fills its tables and steps" $out/capacity-$name-$bits
    done
done

sed -n '/^```c$/,/^```$/{/^```/d;p}' README.md >$out/readme.c
for bits in 32 64; do
    # shellcheck disable=SC2086
    check "$bits bits: the program of the README compiles" gcc $flags -DTAC_REAL_BITS=$bits $out/readme.c src/tactus.c -o $out/readme
    check "$bits bits: and ends well" $out/readme
done

mismatch() { # an application of one configuration, a kernel of another: the linker must name what was expected
    # shellcheck disable=SC2086
    ! gcc $flags -DTAC_REAL_BITS=32 -DTAC_MAX_BODIES=7 $out/readme.c $out/smallest-64.o -o $out/mismatch 2>$out/told &&
        grep -q 'tac_state_init_r32_b7_s24_c32_m4_p4_a16' $out/told
}
check "a mismatch of configurations is a link error that names it" mismatch
out_of_range() { # DEFINE
    # shellcheck disable=SC2086
    ! gcc $flags "$1" -fsyntax-only src/tactus.c 2>$out/told && grep -q '#error' $out/told
}
for define in -DTAC_REAL_BITS=16 -DTAC_MAX_BODIES=0 -DTAC_MAX_SHAPES=1 -DTAC_MAX_SHAPES=8001 -DTAC_MAX_CONTACTS=0 -DTAC_MAX_MATERIALS=251 \
    -DTAC_MAX_MATERIAL_PAIRS=0 -DTAC_MAX_ACTIONS=0 -DTAC_MAX_INEQUALITIES=0 -DTAC_MAX_INEQUALITIES=17 -ffast-math; do
    check "$define is refused" out_of_range $define
done
finish
