#!/bin/bash
# SPDX-License-Identifier: MIT
# log.t - logs of runs, read back by programs that others wrote: @mcap/core, Foxglove's schemas, the validator
#         of glTF.
#   given   node and what npm brings (make tools-log), without which the test is skipped; the host tool
#   makes   TAP, of log.cjs and of writer.c, a program that links the kernel and targets/host/log alone
#   bound   half a minute
#   never   asks for anything but files of build/
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
need 'npm has brought nothing: make tools-log' [ -d build/npm/log/node_modules/@mcap ]
out=build/tests/log
rm -rf $out
mkdir -p $out
MAKEFLAGS='' make -s build/host/gcc-O2-64/tactus build/host/gcc-O2-32/tactus

# NAME BITS ARGUMENT...: the run as MCAP and as a table; its hash for log.cjs.
both() {
    local name=$1-$2 tool=build/host/gcc-O2-$2/tactus
    $tool run "${@:3}" --log "$out/$name.mcap" | sed -n "s/^hash  *\(0x.*\)/\"$name\": \"\1\",/p" >>$out/hashes
    $tool run "${@:3}" --log "$out/$name.glb" >$out/said
    $tool run "${@:3}" --log - >"$out/$name.csv" 2>/dev/null
}

targets/host/urdf2tactus targets/guide/leg.urdf --ground --blob $out/leg.tac >$out/said
for bits in 64 32; do
    both trot $bits trot --steps 60
    both leg $bits $out/leg.tac --steps 400
    both every $bits trot --steps 100 --every 7
    both suction $bits suction --steps 1100 --every 10
    both cube $bits cube_toss --steps 1500 --every 100
done
for scene in solids on_mesh on_field; do
    for end in mcap glb; do build/host/gcc-O2-64/tactus run $scene --steps 2 --log $out/$scene.$end >$out/said; done
done
{ echo '{' && cat $out/hashes && echo '"": ""}'; } >$out/hashes.json

# A run that is interrupted when its table has rows; the step that it tells.
for end in mcap csv glb; do
    build/host/gcc-O2-64/tactus run trot --steps 100000000 --log $out/cut.$end >$out/said 2>&1 &
    pid=$!
    until [ $end = glb ] || [ "$(stat -c %s $out/cut.$end 2>/dev/null || echo 0)" -gt 3000000 ]; do sleep 0.1; done
    [ $end != glb ] || sleep 1
    kill -INT $pid
    code=0
    wait $pid || code=$?
    check "interrupted, $end: exit code 1" [ $code = 1 ]
    check "interrupted, $end: is said" grep -q 'interrupted after step' $out/said
    [ $end != mcap ] || sed -n 's/.*interrupted after step //p' $out/said >$out/cut.steps
done

read -r -a kernel <<<"$(kernel default 64)"
check 'a program of its own' gcc -std=c99 -pedantic -Wall -Wextra -Wconversion -Wshadow -Werror -Iinclude -Itests -Iport -Itargets/host/log \
    tests/log/writer.c targets/host/log/*.c tests/tap.c port/posix/port.c "${kernel[@]}" -o $out/writer -lm
$out/writer $out >$out/surfaces || true
check 'its surfaces' eval "! grep '^not ok' -A1 $out/surfaces && grep -q '^1\.\.[1-9]' $out/surfaces"
NODE_PATH=build/npm/log/node_modules node tests/log/log.cjs $out >$out/read || true
check 'what is read of the logs' eval "! grep '^not ok' -A1 $out/read && grep -q '^1\.\.[1-9]' $out/read"
finish
