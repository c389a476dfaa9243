#!/bin/bash
# SPDX-License-Identifier: MIT
# guard.t - an application of one configuration never writes through a kernel of another: each knob of config.h is varied.
#   given   include/tactus/config.h: its knobs, their defaults and legal ranges; gcc, clang
#   makes   TAP
#   bound   a compilation of the kernel, and one of guard.c for each knob and value
#   never   knows a knob by name: one that is added to config.h is varied too
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
out=build/tests/guard
mkdir -p $out

flags="-std=c99 -pedantic -Wall -Wextra -Wconversion -Werror -O0 -ffp-contract=off -fno-tree-vectorize -fno-math-errno -Iinclude"
base="-DTAC_REAL_BITS=32 -DTAC_SOLVE=1 -DTAC_MAX_JOINTS=4 -DTAC_MAX_FILL=8 -DTAC_MAX_SOLVE_FACTOR=1128 -DTAC_MAX_LCP=8 -DTAC_MAX_NCP=12 -DTAC_MAX_SURFACES=2"
# shellcheck disable=SC2086
gcc $flags $base -c src/tactus.c -o $out/kernel.o

application() { # NAME FLAG...: build guard.c with these, link it to the kernel; what the linker says is in NAME.told
    # shellcheck disable=SC2086
    gcc "${@:2}" $flags tests/size/guard.c $out/kernel.o -o "$out/$1" 2>"$out/$1.told"
}
value_of() { # KNOB FLAG...: the number that it has with these
    local text
    text=$(echo "$1" | gcc "${@:2}" -E -P -Iinclude -include tactus/config.h -)
    echo $((text))
}
others() { # KNOB VALUE: one less, one more, or all that the list of legal values has, as config.h has them
    local knob=$1 value=$2 line candidate
    line=$(grep -E "^#if $knob (<|!=)" include/tactus/config.h)
    if [[ $line == *'!='* ]]; then
        for candidate in $(grep -oE '!= [0-9]+' <<<"$line" | cut -d' ' -f2); do
            [ "$candidate" = "$value" ] || echo "$candidate"
        done
    else
        read -r low high < <(sed -E 's/^#if [A-Z_]+ < ([0-9]+) \|\| [A-Z_]+ > ([0-9]+)$/\1 \2/' <<<"$line")
        [ "$value" -le "$low" ] || echo $((value - 1))
        [ "$value" -ge "$high" ] || echo $((value + 1))
    fi
}
is_kept_out() { # KNOB VALUE: the application does not link, and its name says so, or is refused, and the knob is named
    local code=0
    # shellcheck disable=SC2086
    if ! application varied $base "-U$1" "-D$1=$2"; then
        grep -qE 'undefined reference to `tac_[a-z_]+_v[0-9]+_[0-9]+_r(32|64)(_i[0-9]+)?' $out/varied.told && return
        cat $out/varied.told
        return 1
    fi
    $out/varied >$out/log || code=$?
    [ $code = 3 ] && [ "$(cat $out/log)" = "$1 differs between application and kernel" ] && return
    cat $out/log
    return 1
}

# shellcheck disable=SC2086
check "the same configuration links" application same $base
check "and steps" gives 0 same $out/same
mapfile -t knobs < <(sed -n 's/^#ifndef \(TAC_[A-Z_]*\)$/\1/p' include/tactus/config.h | awk '!seen[$0]++')
check "config.h has knobs" test ${#knobs[@]} -ge 29
for knob in "${knobs[@]}"; do
    # shellcheck disable=SC2086
    value=$(value_of "$knob" $base)
    mapfile -t values < <(others "$knob" "$value")
    check "$knob: config.h says which values are legal" test ${#values[@]} -ge 1
    for other in "${values[@]}"; do check "$knob: $other in the application, $value in the kernel" is_kept_out "$knob" "$other"; done
done

# what no knob tells: the layout of structs, the version
# shellcheck disable=SC2086
application packed $base -fpack-struct=1 || true
check "structs laid out in another way are refused by name" gives 3 'sizeof(tac_model) differs' $out/packed
sed 's/\(#define TAC_VERSION_MINOR\) .*/\1 99/' include/tactus/layout.h >$out/layout.h
mkdir -p $out/headers/tactus
cp include/tactus/*.h $out/headers/tactus/
mv $out/layout.h $out/headers/tactus/
other_version() {
    # shellcheck disable=SC2086
    ! application newer -I$out/headers $base && grep -q 'tac_state_init_for_v0_99_r32' $out/newer.told
}
check "another version does not link" other_version

# the header is C++ too, and the wrappers see the configuration of whoever includes them
plus_plus() { # NAME FLAG...
    clang -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Werror -Iinclude "${@:2}" -c tests/size/guard.c -o "$out/$1.o" &&
        gcc "$out/$1.o" $out/kernel.o -o "$out/$1"
}
# shellcheck disable=SC2086
check "C++17 compiles the application" plus_plus plus $base
check "and it steps" gives 0 same $out/plus
# shellcheck disable=SC2086
check "C++17 compiles one of another configuration" plus_plus plus-other $base -DTAC_MAX_CONTACTS=33
check "and it is refused by name" gives 3 'TAC_MAX_CONTACTS differs' $out/plus-other
finish
