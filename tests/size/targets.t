#!/bin/bash
# SPDX-License-Identifier: MIT
# targets.t - what the kernel's object promises on all boards and with hostile flags: no C library, nothing fused, the same bits.
#   given   the board compilers, gcc, clang
#   makes   TAP
#   bound   a dozen compilations of the kernel, and three with hostile flags
#   never   bounds stack or flash: kernel.t does, for one board
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
. tests/size/kernels.sh
out=build/tests/targets
mkdir -p $out

for target in mps2-an385.float mps2-an386.float mps2-an500.float mps2-an500.double rv32imafc.float; do
    board=${target%.*} precision=${target#*.}
    prefix=$(MAKEFLAGS='' make -s -f targets/board.mk BOARD=$board print-BOARD_PREFIX)
    # what can be asked for, at once: joints, the direct solver, rolling, problems without a world
    check "$target -O2, everything: no C library, no data, nothing fused" alone "$prefix" "$(shared $board "$precision")"
    case $target in mps2-an385.float | mps2-an500.*) continue ;; esac # as their neighbours
    file=$(as_printed $board "$precision" -Os "${everything[@]}")
    check "$target, the README's flags with -Os, everything: no C library, no data, nothing fused" alone "$prefix" "$file"
done

# On this machine pages.t builds what the README prints. The shared kernels have its flags too.
for kernel in gcc-O2-32/all gcc-O2-64/robots clang-O2-32/all; do
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
finish
