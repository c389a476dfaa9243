#!/bin/bash
# SPDX-License-Identifier: MIT
# lcs.t - do steps and plans of linear complementarity systems cost more than the pages say?   prove tests/bench/lcs.t [:: BOARD...]
#   given   lcs and lcs.c beside this file; the tables of src/derivative/README.md and src/predict/README.md; boards, else both
#   makes   TAP: each figure is at most that of the page and 2 %; plans take at most 600 000 and 24 M instructions
#   bound   two minutes a board
#   never   needs anything built before
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh

if [ $# = 0 ]; then set -- mps2-an386 mps2-an500; fi
figures() { # table|core|column|number
    awk -F ' *[|] *' '/^\| (20 steps of a quadruped|cartpole|cube and fingers) \|/ { table = $2; next }
        !/^\|/ { table = "" }
        table && $3 + 0 > 0 { for (i = 3; i < NF; i++) print table "|" $2 "|" i "|" $i }'
}
stated=$(figures < <(cat src/derivative/README.md src/predict/README.md))
said=$(tests/bench/lcs "$@")
sed 's/^/# /' <<<"$said"
while IFS='|' read -r table core column number; do
    check "$table, $core, column $column: $number" awk -F '|' -v table="$table" -v core="$core" -v column="$column" -v number="$number" '
        $1 == table && $2 == core && $3 == column { good = number <= 1.02 * $4 }
        END { exit !good }' <<<"$stated"
    if [ "$table $column" = "cartpole 3" ]; then check "a plan of the cartpole: $number" [ "$number" -le 600000 ]; fi
    if [ "$table $column" = "cube and fingers 4" ]; then check "a plan of the cube: $number" [ "$number" -le 24000000 ]; fi
done < <(figures <<<"$said")
check "each board has ten figures and two bounds" [ "$count" = $((12 * $#)) ]
finish
