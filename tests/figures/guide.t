#!/bin/bash
# SPDX-License-Identifier: MIT
# guide.t - do the pictures of src/predict/README.md show what the kernel computes now?   prove tests/figures/guide.t
#   given   tests/figures/guide, the pictures beside it, the programs of targets/guide
#   makes   TAP
#   bound   one kernel at -O0
#   never   allows a difference: bits are the same everywhere
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
out=build/figures/guide
mkdir -p $out

check 'the pictures are drawn' tests/figures/guide $out
for name in kinks loads error; do
    check "plan-$name.svg is what is drawn now: tests/figures/guide" cmp tests/figures/plan-$name.svg $out/plan-$name.svg
done
for file in targets/guide/*.[ch]; do
    check "$file is shorter than a hundred lines" test "$(wc -l <"$file")" -lt 100
done
finish
