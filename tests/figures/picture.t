#!/bin/bash
# SPDX-License-Identifier: MIT
# picture.t - does the picture of the README show what the kernel computes now?   prove tests/figures/picture.t
#   given   tests/figures/picture and the picture toss.svg beside it; build/tactus-float; TACTUS_DATA, or none
#   makes   TAP; skipped without data
#   bound   a second
#   never   asks for more than a pixel and a half: that is what a change of bits far below the figures may move
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
out=build/figures
mkdir -p $out
need 'no data (TACTUS_DATA)' test -f "${TACTUS_DATA:-}/cube_toss/cube_toss_public.csv"
[ -x build/tactus-float ] || MAKEFLAGS='' make -s tactus

# Corners of a shadow may coincide, so their number is no figure.
texts() { # FILE: all but its numbers
    grep -v 'class="shadow"' "$1" | sed -E 's/[0-9]+(\.[0-9]+)?/#/g'
}
numbers() { # FILE
    grep -v 'class="shadow"' "$1" | grep -oE '[0-9]+(\.[0-9]+)?'
}
same_texts() { # A B
    diff <(texts "$1") <(texts "$2")
}
near() { # A B: each number of one within 1.5 of the other's
    paste <(numbers "$1") <(numbers "$2") |
        awk '{ d = $1 - $2; if (d * d > 2.25) { print "stands " $1 ", drawn now " $2; bad = 1 } } END { exit bad }'
}
check "the picture is drawn" tests/figures/picture $out/toss.svg
check "toss.svg has the same faces and texts" same_texts tests/figures/toss.svg $out/toss.svg
check "in the same places" near tests/figures/toss.svg $out/toss.svg
finish
