#!/bin/bash
# SPDX-License-Identifier: MIT
# npm.t - the npm package as a user has it: installed from its archive in a clean folder, without a network.
#   given   clang, wasm-ld, node, npm (make tools-page), without which it is skipped; the tool (make tactus)
#   makes   TAP
#   bound   two kernels as WebAssembly, which the page has too
#   never   takes a file of the repository, but for a model file and golden hashes
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
need 'no wasm-ld, node or npm: make tools-page' eval 'command -v wasm-ld && command -v node && command -v npm'
out=$PWD/build/tests/npm
rm -rf "$out" && mkdir -p "$out/user"

made() { MAKEFLAGS='' make -s npm && sha256sum build/dist/npm/*.tgz >"$out/sum"; }
installed() {
    (cd "$out/user" && npm install --offline --no-audit --no-fund --cache "$out/cache" "$OLDPWD"/build/dist/npm/tactus-*.tgz) && [ -f "$out/user/node_modules/tactus/LICENSE" ]
}
# The hash of a scene is that of the table of golden ones: after its forty steps.
cat >"$out/user/golden.mjs" <<'JS'
import { load, World } from 'tactus';
const [name, steps, bits] = process.argv.slice(2);
const world = new World(await load(Number(bits)), 0);
world.open({ scene: name }, {});
for (let i = 0; i < Number(steps); i++) world.step();
const back = world.pack();
world.step();
world.unpack(back);
console.log(`0x${world.report().hash}`);
JS
golden() { # NAME BITS STEPS
    local want
    want=$(sed -n "s/^{\"$1\", UINT64_C(\(0x[0-9a-f]*\)), UINT64_C(\(0x[0-9a-f]*\))},/\\$(($2 / 32))/p" tests/golden/golden_table.h tests/golden/golden_robots.h)
    [ -n "$want" ] && [ "$(cd "$out/user" && node golden.mjs "$1" "$3" "$2")" = "$want" ]
}
listing() { # of the package's page, as it is printed, beside the host's own run
    awk '/^```js leg.mjs$/ { inside = 1; next } /^```/ { inside = 0 } inside' targets/npm/README.md >"$out/user/leg.mjs"
    targets/host/urdf2tactus targets/guide/leg.urdf --blob "$out/user/leg.blob" --ground --joint rail=0.45 --joint knee_motor=-1.2 >"$out/log" 2>&1
    printf 'time,joint,mode,position,stiffness,damping\n0,knee_motor,pd,-1.5,60,2\n' >"$out/motors.csv"
    (cd "$out/user" && node leg.mjs >"$out/said") && build/host/gcc-O2-64/tactus run "$out/user/leg.blob" --motors "$out/motors.csv" --steps 400 >"$out/own" &&
        grep -q "$(sed -n 's/^hash *0x//p' "$out/own")" "$out/said"
}
refused() {
    echo "import { load, World } from 'tactus'; const w = new World(await load(), 1); w.open({ scene: 'nothing' }, {});" >"$out/user/no.mjs"
    ! (cd "$out/user" && node no.mjs) 2>"$out/log" && grep -q 'nothing: no such scene' "$out/log"
}
declared() { # what index.js exports, index.d.ts declares
    (cd "$out/user" && node -e "import('tactus').then((m) => console.log(Object.keys(m).join('\n')))") | while read -r name; do
        grep -Eq "^export (function|class|const) .*\b$name\b" "$out/user/node_modules/tactus/index.d.ts" || { echo "$name"; return 1; }
    done
}
again() { rm -r build/dist/npm && MAKEFLAGS='' make -s npm && sha256sum -c "$out/sum"; }
check 'make npm' made
check 'npm install, offline, in a clean folder' installed
check 'a golden hash in double' golden stack 64 40
check 'a golden hash in float' golden stand 32 40
check 'the listing of its page: a model file, a motor, the bits of the host' listing
check 'a scene that is not there' refused
check 'what it exports is declared' declared
check 'the same files give the same archive' again
finish
