#!/bin/bash
# SPDX-License-Identifier: MIT
# compilers.t - the kernel for compilers that are neither gcc nor clang (MSVC, IAR, armcc): no builtin, the same bits.
#   given   clang, which parses for MSVC's target, and which says nothing of itself where its names are undefined
#   makes   TAP
#   bound   one compilation of the kernel by clang -O0; parsing is a fraction of a second
#   never   shows what these compilers make of it: none of them is here
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
out=build/tests/compilers
mkdir -p $out
read -r -a everything <<<"$(MAKEFLAGS='' make -s -f tests/configurations.mk flags-all)"
foreign=(-ffreestanding -U__GNUC__ -U__clang__ -std=c99 -pedantic -Wall -Wextra -Werror -Iinclude)

only_c() { # BITS: nothing of gcc's in what is left of the source; offsetof() is the compiler's
    clang "${foreign[@]}" "${everything[@]}" -DTAC_REAL_BITS="$1" -E -P src/tactus.c >$out/plain.c
    ! grep -v '^#pragma' $out/plain.c | sed 's/__builtin_offsetof//g' | grep -m5 '__builtin\|__attribute\|__asm\|__extension'
}
golden() { # the kernel without builtins, in place of the test's own
    local test=build/host/clang-O0-32
    MAKEFLAGS='' make -s "$test/tests/golden/golden" >&2
    clang -O0 "${foreign[@]}" -c src/tactus.c -o $out/kernel.o &&
        clang "$test"/default/{tests/golden/golden,tests/tap,targets/scenes/scenes,port/posix/port}.o $out/kernel.o -o $out/golden &&
        tests/run host $out/golden
}
for bits in 32 64; do
    check "$bits bits, clang for MSVC's target" clang --target=x86_64-pc-windows-msvc -fsyntax-only -ffreestanding -std=c99 -pedantic \
        -Wall -Wextra -Werror -Iinclude "${everything[@]}" -DTAC_REAL_BITS=$bits src/tactus.c
    check "$bits bits, a compiler without gcc's builtins" only_c $bits
done
check 'without them the bits are the same' golden
finish
