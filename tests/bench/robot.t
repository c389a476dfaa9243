#!/bin/bash
# SPDX-License-Identifier: MIT
# robot.t - does a robot's step cost more than targets/README.md says?   prove tests/bench/robot.t [:: BOARD...]
#   given   robot and robot.c beside this file; the table of the page; the boards named, else mps2-an386 and mps2-an500
#   makes   TAP: each figure of 400 steps is at most that of the page and 10 %
#   bound   60 s a board
#   never   needs anything built before
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh

if [ $# = 0 ]; then set -- mps2-an386 mps2-an500; fi
figures() { # core robot column figure: of the table that is read
    awk -F ' *[|] *' '
        /^\| core \| robot \|/ { split($0, column); inside = 1; next }
        !/^\|/ { inside = 0 }
        inside && $3 in robots { for (i = 4; i < NF; i++) { gsub(/ /, "_", column[i]); print $2, $3, column[i], $i } }
        BEGIN { robots["stand"]; robots["trot"]; robots["chain"] }'
}
stated=$(figures <targets/README.md)
said=$(tests/bench/robot 400 "$@")
sed 's/^/# /' <<<"$said"
while read -r core robot column figure; do
    check "$core, $robot: ${column//_/ }, thousands of instructions: $figure" awk -v key="$core $robot $column" -v figure="$figure" '
        $1 " " $2 " " $3 == key { stated = $4 }
        END { if (!(figure <= 1.1 * stated)) { print "the page says " stated; exit 1 } }' <<<"$stated"
done < <(figures <<<"$said")
check "each board has all figures of three robots" [ "$count" = $((15 * $#)) ]
finish
