#!/bin/bash
# SPDX-License-Identifier: MIT
# prefix.t - TAC_PREFIX: a small float kernel and a large double one in one program, from C and from C++17.
#   given   gcc, g++, clang; the golden table of scenes
#   makes   TAP
#   bound   two compilations of the kernel, two dozen small ones
#   never   has a list of the public functions: that of prefix.h is held against the symbols of the kernel
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
out=build/tests/prefix
mkdir -p $out

flags="-pedantic -Wall -Wextra -Wconversion -Werror -Iinclude -Iport -Itests -Itargets/scenes"
c="-std=c99 -O0 -ffp-contract=off -fno-tree-vectorize -fno-math-errno $flags"
small="-DTAC_PREFIX=small_ -DTAC_REAL_BITS=32 -DTAC_CONVEX=0 -DTAC_MAX_BODIES=10 -DTAC_MAX_SHAPES=16"
large="-DTAC_PREFIX=large_ -DTAC_REAL_BITS=64 -DTAC_MAX_BODIES=100 -DTAC_MAX_SHAPES=120 -DTAC_MAX_CONTACTS=200"
large+=" -DTAC_MAX_JOINTS=4 -DTAC_MAX_FILL=8 -DTAC_SOLVE=1 -DTAC_ROLLING=1 -DTAC_FRICTION_LAWS=1 -DTAC_MAX_LCP=8 -DTAC_MAX_NCP=12 -DTAC_DAE=1 -DTAC_PREDICT=1 -DTAC_MAX_SURFACES=2 -DTAC_SWITCHES=1"
for kernel in small large; do
    # shellcheck disable=SC2086
    gcc $c ${!kernel} -c src/tactus.c -o $out/$kernel-kernel.o
    # shellcheck disable=SC2086
    gcc $c ${!kernel} -c tests/size/prefix_world.c -o $out/$kernel-world.o
done

all_begin_with() { # PREFIX OBJECT
    local others
    others=$(nm "$2" | awk '$2 ~ /[A-Z]/ && $2 != "U" { print $3 }' | grep -v "^$1tac_") || return 0
    echo "not in prefix.h:" "$others"
    return 1
}
for kernel in small large; do
    check "every symbol of the $kernel kernel has its prefix" all_begin_with ${kernel}_ $out/$kernel-kernel.o
done
all_exist() {
    local name code=0
    while read -r name; do
        nm $out/large-kernel.o | grep -q " T large_$name$" || { echo "no such function: $name"; code=1; }
    done < <(sed -n 's/^#define \(tac_[a-z_]*\) .*/\1/p' include/tactus/prefix.h)
    return $code
}
check "prefix.h names no function that there is not" all_exist

program() { # NAME OBJECT...
    # shellcheck disable=SC2086
    gcc -std=c99 $flags -D_POSIX_C_SOURCE=200809L tests/size/prefix.c tests/tap.c port/posix/port.c "${@:2}" -o "$out/$1"
}
check "both kernels link into one program" program both $out/{small,large}-{kernel,world}.o
passes() { # PROGRAM: and all its own tests do
    "$1" >$out/log && return
    cat $out/log
    return 1
}
check "they step in turn, each to its own golden hashes" passes $out/both

# the guard, with prefixes: other knobs, another precision, no such kernel
does_not_link() { # SYMBOL OBJECT...
    ! program other "${@:2}" 2>$out/told && grep -q "undefined reference to \`$1'" $out/told
}
# shellcheck disable=SC2086
gcc $c $small -DTAC_MAX_CONTACTS=33 -c tests/size/prefix_world.c -o $out/other-world.o
program other $out/{small,large}-kernel.o $out/{other,large}-world.o
check "other knobs under the same prefix are refused" gives 1 'not ok 4 - both have stepped' $out/other
# shellcheck disable=SC2086
gcc $c ${small/32/64} -c tests/size/prefix_world.c -o $out/other-world.o
check "another precision under it does not link" \
    does_not_link 'small_tac_state_init_for_v[0-9_]*_r64' $out/{small,large}-kernel.o $out/{other,large}-world.o
check "nor does a prefix that no kernel has" does_not_link small_tac_step $out/large-kernel.o $out/{small,large}-world.o

# C++17: each header by itself, with a prefix and without; and templates over types of both kernels, not optimised, so
# that the linker sees them
alone() { # COMPILER HEADER
    local knobs
    for knobs in "$large" "${large/-DTAC_PREFIX=large_/}" -DTAC_REAL_BITS=32; do
        # shellcheck disable=SC2086
        $1 -x c++ -std=c++17 $flags -Wsign-conversion -Wdouble-promotion -Wshadow -Wundef $knobs -fsyntax-only -include "$2" /dev/null ||
            return
    done
}
in_cc() { # COMPILER
    local kernel
    for kernel in small large; do
        # shellcheck disable=SC2086
        $1 -std=c++17 -O0 $flags ${!kernel} -c tests/size/prefix.cc -o $out/$kernel-falls.o || return
    done
    $1 -std=c++17 tests/size/prefix.cc $out/{small,large}-{falls,kernel}.o -o $out/falls && $out/falls
}
for compiler in g++ clang++; do
    for header in include/tactus/*.h; do check "$compiler: $(basename "$header") alone" alone $compiler "$header"; done
    check "$compiler: vectors of states of both kernels" in_cc $compiler
done
finish
