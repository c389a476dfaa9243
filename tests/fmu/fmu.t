#!/bin/bash
# SPDX-License-Identifier: MIT
# fmu.t - FMUs of a robot and of a scene: stepped by a master of our own beside the kernel, to the bit; held to the standard.
#   given   clang or CC, python3; FMI_STANDARD: the folder of the public repository fmi-standard (schema, headers), and xmllint
#   makes   TAP
#   bound   a kernel by clang -O0 for each of three FMUs, and for the master of each
#   never   takes a file of the repository beside the FMU, but for the master
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
out=$PWD/build/tests/fmu
rm -rf "$out" && mkdir -p "$out"
export CC=${CC:-clang} CFLAGS=-O0
flags='-std=c99 -ffp-contract=off -pedantic -Wall -Wextra -Wconversion -Wsign-conversion -Wdouble-promotion -Wshadow -Wundef
    -Wmissing-prototypes -Wvla -Wcast-align -Werror'
standard=${FMI_STANDARD:-}

cat >"$out/drop.xml" <<'XML'
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="box" pos="0 0 0.15"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
    <body name="a &lt; b" pos="0.02 0 0.4" euler="20 30 0"><freejoint/><geom size="0.1"/></body>
  </worldbody>
</mujoco>
XML

check 'make dist-sources' env MAKEFLAGS= make -s dist-sources
built() { # NAME MODEL ARGUMENT...
    targets/fmu/model2fmu "$2" "$out/$1.fmu" "${@:3}" && mkdir "$out/$1" && python3 -m zipfile -e "$out/$1.fmu" "$out/$1"
}
run() { # NAME: the master, linked to what the FMU itself is made of
    local at=$out/$1 library
    library=$(echo "$at"/binaries/*/*)
    (cd "$at/sources" && $CC -std=c99 -w -c model.c tactus.c)
    # shellcheck disable=SC2086
    $CC $flags -Itests -Iport -Iinclude -I"$at/sources" -DTAC_CONFIG_HEADER='"tactus_config.h"' -D_POSIX_C_SOURCE=200809L tests/fmu/master.c tests/tap.c \
        port/posix/port.c "$at"/sources/*.o -o "$at/master" -ldl -lm &&
        "$at/master" "$library" "$at/modelDescription.xml" "$at/saved" >"$at/log"
    local code=$?
    grep -v '^ok' "$at/log"
    return $code
}
schema() { # NAME
    xmllint --noout --nonet --schema "$standard/schema/fmi3ModelDescription.xsd" "$out/$1/modelDescription.xml" &&
        xmllint --noout --nonet --schema "$standard/schema/fmi3BuildDescription.xsd" "$out/$1/sources/buildDescription.xml"
}
compiles() { # NAME FLAG...
    # shellcheck disable=SC2086
    $CC $flags "${@:2}" -c "$out/$1/sources/fmu.c" -o "$out/fmu.o"
}
exports() { # NAME: the functions of the standard's header, and no other name
    grep -o '^FMI3_Export fmi3[A-Za-z0-9]*TYPE *fmi3[A-Za-z0-9]*' "$standard/headers/fmi3Functions.h" | sed 's/.*TYPE *//' | sort >"$out/asked"
    nm -D --defined-only "$out/$1"/binaries/*/* | awk '{ print $3 }' | sort >"$out/given"
    [ "$(wc -l <"$out/asked")" -gt 70 ] && cmp "$out/asked" "$out/given"
}
try() { # NAME MODEL ARGUMENT...
    check "$1: the FMU" built "$@"
    check "$1: the master" run "$1"
    check "$1: compiles without a warning" compiles "$1"
    if [ -f "$standard/schema/fmi3ModelDescription.xsd" ] && command -v xmllint >/dev/null; then
        check "$1: the schema of the standard" schema "$1"
        check "$1: the headers of the standard" compiles "$1" -I"$standard/headers"
        check "$1: the functions of the standard" exports "$1"
    else
        check "$1: the standard # SKIP no FMI_STANDARD, or no xmllint" true
    fi
}
leg=(--ground --joint rail=0.45 --joint hip_motor=0.6 --joint knee_motor=-1.2)
by_make() { # NAME PRECISION: the same as by hand
    MAKEFLAGS='' make -s fmu MODEL=targets/guide/leg.urdf OUT="$out/by make.fmu" PRECISION="$2" ARGUMENTS="${leg[*]}" && cmp "$out/$1.fmu" "$out/by make.fmu"
}
try leg targets/guide/leg.urdf -- "${leg[@]}"
check 'make fmu' by_make leg double
try float targets/guide/leg.urdf --bits 32 -- "${leg[@]}"
try drop "$out/drop.xml" -- --contacts 4 # a box has four; its ball finds no room
check 'no such model' gives 1 'nothing.xml' targets/fmu/model2fmu nothing.xml "$out/no.fmu"
check 'no kernel' gives 1 'make dist-sources' targets/fmu/model2fmu targets/guide/leg.urdf "$out/no.fmu" --kernel "$out"
finish
