#!/bin/bash
# SPDX-License-Identifier: MIT
# arithmetic.t - options that relax arithmetic: each is an #error, or tac_self_test() names what it breaks; no false alarm.
#   given   gcc, clang; an x86-64 with FMA for what fuses, else those are skipped by name
#   makes   TAP
#   bound   some fifty compilations of arithmetic.c, each a fraction of a second, and one of the kernel
#   never   takes a wrong answer for a refusal: the promise must be the one that the option breaks
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
out=build/tests/arithmetic
mkdir -p $out
ours="-ffp-contract=off -fno-tree-vectorize"

compile() { # BITS COMPILER FLAG...: with an optimiser, unless the flags say otherwise
    "$2" -std=c99 -w -O2 -fno-math-errno "${@:3}" -DTAC_REAL_BITS="$1" -Iinclude -Isrc -c tests/size/arithmetic.c -o $out/a.o
}
said() { # WORDS: the program says so
    gcc $out/a.o -o $out/a -lm && gives 0 "$1" $out/a
}
finds() { # WORDS BITS COMPILER FLAG...
    compile "${@:2}" && said "$1"
}
is_an_error() { # BITS COMPILER FLAG...
    ! compile "$@" 2>$out/told && grep -q '#error\|error: "' $out/told
}

for bits in 64 32; do
    # a compiler that tells is refused
    while read -r compiler options; do
        # shellcheck disable=SC2086
        check "$bits bits, $compiler $options: #error" is_an_error $bits $compiler $ours $options
    done <<'END'
gcc -ffast-math
gcc -Ofast
gcc -ffinite-math-only
gcc -funsafe-math-optimizations
gcc -fassociative-math -fno-signed-zeros -fno-trapping-math
gcc -freciprocal-math
gcc -fno-signed-zeros
clang -ffast-math
clang -Ofast
clang -ffp-model=fast
clang -ffinite-math-only
END
    # what it does not tell is found
    while IFS='|' read -r promise compiler options; do
        # shellcheck disable=SC2086
        check "$bits bits, $compiler $options: $promise" finds "$promise" $bits $compiler $ours $options
    done <<'END'
comparisons with NaN and infinity|clang|-fno-honor-nans
comparisons with NaN and infinity|clang|-funsafe-math-optimizations
comparisons with NaN and infinity|clang|-fassociative-math -fno-signed-zeros -fno-trapping-math
sign of zero|clang|-fno-signed-zeros
division|clang|-freciprocal-math
END
    # no false alarm
    while read -r compiler options; do
        # shellcheck disable=SC2086
        check "$bits bits, $compiler $options: kept" finds kept $bits $compiler $ours $options
    done <<'END'
gcc -O0
gcc -Os
gcc -O3
gcc -frounding-math -fno-trapping-math
clang -O0
clang -O3
clang -Os -frounding-math
END
    # a kernel that is compiled as it should be, linked by one who is not
    # shellcheck disable=SC2086
    compile $bits gcc $ours
    gcc -ffast-math $out/a.o -o $out/a -lm
    check "$bits bits, -ffast-math where it is linked: subnormal numbers" gives 0 'subnormal numbers' $out/a
done
check "64 bits, gcc -fsingle-precision-constant: bits of a motion" finds "bits of a motion" 64 gcc $ours -fsingle-precision-constant

# what fuses, where there is a fused multiply-add: in the self-test alone, and in the whole kernel
fuses='products rounded before they are added'
fused() { # WORDS BITS COMPILER FLAG...
    local name="$2 bits, ${*:3}: $1"
    if grep -qw fma /proc/cpuinfo; then check "$name" finds "$@"; else check "$name # SKIP no FMA here" true; fi
}
for bits in 64 32; do
    fused "$fuses" $bits clang -mfma -ffp-contract=fast # against which clang has no pragma
    fused kept $bits clang -mfma
    fused kept $bits clang -mfma -O0
    fused kept $bits gcc -mfma -ffp-contract=fast
    fused kept $bits gcc -march=native -O3 -ffp-contract=off
    # shellcheck disable=SC2086
    fused kept $bits gcc -march=native -O3 $ours
    # shellcheck disable=SC2086
    fused kept $bits clang -march=native -O3 $ours
done
cat >$out/boot.c <<'END'
#include "tactus/tactus.h"
#include <stdio.h>
int main(void) { puts(tac_promise_name(tac_self_test())); return 0; }
END
whole() { # WORDS COMPILER FLAG...
    "$2" -std=c99 -w -DTAC_CONVEX=0 -DTAC_REAL_BITS=64 -fno-math-errno "${@:3}" -Iinclude $out/boot.c src/tactus.c -o $out/boot &&
        gives 0 "$1" $out/boot
}
if grep -qw fma /proc/cpuinfo; then
    check "the whole kernel, clang -O1 -mfma -ffp-contract=fast: $fuses" whole "$fuses" clang -O1 -mfma -ffp-contract=fast
fi
finish
