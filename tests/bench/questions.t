#!/bin/bash
# SPDX-License-Identifier: MIT
# questions.t - does a question about a robot cost more than src/robot/README.md says?   prove tests/bench/questions.t [:: BOARD...]
#   given   questions and questions.c beside this file; the table of the page; the boards named, else mps2-an386 and mps2-an500
#   makes   TAP: each figure is at most that of the page and 2 %
#   bound   60 s a board
#   never   needs anything built before
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh

if [ $# = 0 ]; then set -- mps2-an386 mps2-an500; fi
figures() { # core|question|again|anew: of the table that is read
    awk -F ' *[|] *' '
        /^\| core \| question \|/ { inside = 1; next }
        !/^\|/ { inside = 0 }
        inside && $4 + 0 > 0 { print $2 "|" $3 "|" $4 "|" $5 }'
}
stated=$(figures <src/robot/README.md)
said=$(tests/bench/questions "$@")
sed 's/^/# /' <<<"$said"
while IFS='|' read -r core question again anew; do
    check "$core, $question: $again, of a new state $anew" awk -F '|' -v core="$core" -v question="$question" -v again="$again" -v anew="$anew" '
        $1 == core && $2 == question { good = again <= 1.02 * $3 && anew <= 1.02 * $4 }
        END { exit !good }' <<<"$stated"
done < <(figures <<<"$said")
check "each board answers twelve questions" [ "$count" = $((12 * $#)) ]
finish
