#!/bin/bash
# SPDX-License-Identifier: MIT
# wasm.t - the same bits as WebAssembly: the programs of bits in node, in both precisions.
#   given   clang, lld, node (make tools-page), without which the test is skipped
#   makes   TAP: a line for each program
#   bound   a minute, most of it two kernels
#   never   imports a function: what a module prints it keeps in its own memory (port/wasm)
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
need 'no node or lld: make tools-page' eval 'command -v node && command -v wasm-ld'
out=build/tests/wasm
mkdir -p $out

programs=()
for bits in 32 64; do
    for source in tests/golden/*.c tests/{unit/self_test,property/snapshot,link/wire}.c; do
        programs+=("build/host/wasm-Os-$bits/${source%.c}")
    done
done
MAKEFLAGS='' make -s "${programs[@]}"
imports() { # of a module: none
    node -e 'process.exit(WebAssembly.Module.imports(new WebAssembly.Module(require("fs").readFileSync(process.argv[1]))).length)' "$1"
}
check "no module has imports" imports "${programs[0]}"
for program in "${programs[@]}"; do check "${program#build/host/}" tests/each "$program"; done
finish
