# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# tap.sh - TAP for shell scripts that are run from the top of the repository. To be sourced.

count=0

# NAME COMMAND...: a test that passes if the command does; what it says is shown if not.
check() {
    local name=$1 said
    shift
    count=$((count + 1))
    if said=$("$@" 2>&1); then
        echo "ok $count - $name"
    else
        echo "not ok $count - $name"
        [ -z "$said" ] || printf '%s\n' "$said" | sed 's/^/# /'
    fi
}

# REASON COMMAND...: what the whole script needs; where the command fails the script is skipped for that reason.
need() {
    local reason=$1
    shift
    "$@" >/dev/null 2>&1 && return
    echo "1..0 # skipped: $reason"
    exit 0
}

# HEADER COMPILER...: does the compiler find the header?
has_header() {
    echo "#include <$1>" | "${@:2}" -E -
}

# CODE TEXT COMMAND...: the command ends with that code, and its output or complaint, in $out/log, holds that text.
gives() {
    local want=$1 text=$2 code=0
    shift 2
    "$@" >$out/log 2>&1 </dev/null || code=$?
    [ $code = "$want" ] && grep -qF -- "$text" $out/log && return
    echo "code $code; output:"
    cat $out/log
    return 1
}

# The plan.
finish() {
    echo "1..$count"
}

# [BOARD...]: those, or all that there are.
boards() {
    if [ $# -gt 0 ]; then printf '%s\n' "$@"; else printf '%s\n' targets/*/target.mk | cut -d/ -f2; fi
}

# BOARD NAME SOURCE...: build one program; prints where it is.
build() {
    MAKEFLAGS='' make -s -f targets/board.mk BOARD="$1" PRECISION=float OPT=-O2 PROGRAM="$2" SOURCES="${*:3}" >&2
    echo "build/$1/float/$2.elf"
}

# CONFIGURATION BITS: the kernel of one of tests/configurations.mk, as gcc-O2 shares it; prints its flags and its object.
kernel() {
    local object=build/host/gcc-O2-$2/$1/src/tactus.o
    MAKEFLAGS='' make -s "$object" >&2
    echo "-DTAC_REAL_BITS=$2 $(MAKEFLAGS='' make -s -f tests/configurations.mk "flags-$1") $object"
}
