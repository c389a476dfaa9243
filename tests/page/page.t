#!/bin/bash
# SPDX-License-Identifier: MIT
# page.t - the page in headless Chromium, from disk: what it shows, what can be done with it, and that its bits are the host's.
#   given   node, lld, Chromium and what npm brings (make tools-page), without which the test is skipped; the host tool
#   makes   TAP, of page.cjs
#   bound   two minutes, most of it two kernels by clang -O2
#   never   asks for anything but files of build/, or compares pictures pixel by pixel
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
need 'no node, lld or Chromium: make tools-page' eval 'command -v node && command -v wasm-ld && command -v chromium'
need 'npm has brought nothing: make tools-page' [ -d build/npm/page/node_modules/playwright-core ]
out=build/tests/page
mkdir -p $out
MAKEFLAGS='' make -s page build/host/gcc-O2-64/tactus build/host/gcc-O2-32/tactus

targets/host/urdf2tactus targets/guide/leg.urdf --blob $out/leg.tac >$out/log
build/host/gcc-O2-64/tactus run trot --steps 120 --log $out/trot.csv >$out/log
build/host/gcc-O2-64/tactus run cube_toss --steps 800 --every 10 --log $out/toss.mcap >$out/log
build/host/gcc-O2-64/tactus run $out/leg.tac --steps 50 --log $out/leg.mcap >$out/log
# the wall is no scene of the tool: a program with the capacities of the page
wall() { # BITS
    # shellcheck disable=SC2046
    gcc -std=c99 -O0 -ffp-contract=off -fno-math-errno -D_POSIX_C_SOURCE=200809L -DTAC_REAL_BITS="$1" $(MAKEFLAGS='' make -s -f tests/configurations.mk flags-page) \
        -Iinclude -Itargets/scenes -Itargets/page tests/page/speed.c targets/page/wall.c targets/scenes/*.c src/tactus.c -o $out/wall
    $out/wall 1 wall 30 | sed 's/.*0x//'
}
{ # what the host says of each run that page.cjs takes
    echo '{'
    for bits in 64 32; do
        tool=build/host/gcc-O2-$bits/tactus
        for run in "stand 200" "gripper 60" "rover 60" "solids 100" "on_mesh 60" "cube_toss 400" "suction 60" "mecanum 60" "ragdoll 400" "tracks 60"; do
            read -r scene steps <<<"$run"
            echo "\"$bits $run\": \"$($tool run "$scene" --steps "$steps" | sed -n 's/^hash  *0x//p')\","
        done
        echo "\"$bits wall 30\": \"$(wall $bits)\","
        echo "\"$bits leg 100\": \"$($tool run --model $out/leg.tac --steps 100 | sed -n 's/^hash  *0x//p')\","
    done
    echo '"": ""}'
} >$out/hashes.json
NODE_PATH=build/npm/page/node_modules exec timeout -k 5 300 node tests/page/page.cjs build/page/index.html $out
