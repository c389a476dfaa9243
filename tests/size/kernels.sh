# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# kernels.sh - kernels whose objects are looked at, for kernel.t and targets.t; to be sourced behind tap.sh, with $out set.

shared() { # BOARD PRECISION: the object of the configuration `all` that the tests of that board share
    local path=build/$1/$2/obj/all/src/tactus.o
    MAKEFLAGS='' make -s BOARD="$1" PRECISION="$2" "$path" >&2
    echo "$path"
}
alone() { # PREFIX OBJECT: object.sh passes, and nothing is called from outside but soft float
    local said
    said=$(tests/size/object.sh "$1" "$2") && ! grep calls <<<"$said"
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
