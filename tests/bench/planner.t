#!/bin/bash
# SPDX-License-Identifier: MIT
# planner.t - the quadruped that is pushed, in a short form: board and host to the bit, on time, better, and what a plan costs; and the one
#             that stands up and walks.
#   given   targets/planner/demo; the figures of targets/planner/README.md
#   makes   TAP: two pushes on the emulated Cortex-M7; two robots of 8 s, twenty pushes and four walks of 8 s on the host; the
#           robot on the host with the firmware behind the link: 0.1 s on the board, 2 s and an interruption on the host
#   bound   three minutes
#   never   needs anything built before
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
out=build/planner
mkdir -p $out

value() { # FILE NAME: the last line of that name
    awk -v name="$2" 'index($0, name " ") == 1 { is = $NF } END { if (is == "") exit 1; print is }' "$1"
}
is() { # NAME OPERATOR NUMBER
    local is
    is=$(value $out/board "$1") && [ "$is" "$2" "$3" ] || { echo "$1: ${is:-missing}, not $2 $3"; return 1; }
}
figure() { # NAME: of the page, and 10 %; in ticks of 40 instructions
    awk -F ' *[|] *' -v name="$1" '$2 == name { gsub(/ /, "", $3); print int($3 * 1.1 / 40); found = 1 } END { exit !found }' \
        targets/planner/README.md
}
better() { # PUSHES: of twenty
    $out/tactus-host 20 | awk -v least="$1" '
        /^cost of servos/ { servos = $NF }
        /^cost of planner/ { better += $NF < servos; n++ }
        /^fallen/ { fallen += $2 }
        END { print better " of " n; exit !(n == 20 && better >= least && !fallen) }'
}
walks() { # ROBOTS SECONDS
    $out/tactus-host walk "$1" "$2" | awk -v n="$1" '
        /^fallen 0/ { stand++ }
        /^mm\/s [0-9]/ { good += $NF >= 240 && $NF <= 360 }
        /^error of height/ { level += $NF <= 200 }
        END { print stand, good, level " of " n; exit !(stand == n && good == n && level == n) }'
}
stands() { # ROBOTS SECONDS
    $out/tactus-host "$1" "$2" | grep -qx 'robots that have fallen 0'
}

interrupted() { # nothing is exchanged for 0.4 s: the plan is too old afterwards, and then there is a new one
    local before after plans
    $out/tactus-host 1 2 exec:$out/tactus-served >$out/whole && $out/tactus-host 1 2 exec:$out/tactus-served 400 >$out/cut || return 1
    before=$(value $out/whole 'periods at rest') after=$(value $out/cut 'periods at rest') plans=$(value $out/cut plans)
    echo "at rest for $before periods, interrupted for $after; $plans plans"
    [ "$after" -gt "$before" ] && [ "$after" -lt $((before + 150)) ] && [ "$plans" -ge 25 ] && grep -qx 'fallen 0' $out/cut
}

check 'board and host are the same to the bit' targets/planner/demo 2
check 'no period is missed' is 'periods missed' -eq 0
check 'control and a slice fit into 480 000 instructions' is "periods over the controller's part" -eq 0
for name in 'ticks of control, longest' 'ticks of a slice, longest' 'ticks of a plan, mean' 'ticks of a plan, longest'; do
    check "instructions, as the page says: $name" is "$name" -le "$(figure "${name#ticks of }" || echo 0)"
done
check 'better than the servos after 19 of 20 pushes, and none falls' better 19
check 'two robots that are pushed each 1.8 s stand for 8 s' stands 2 8
check 'the robot on the host: the board behind the link commands what the host does' \
    env OUT=build/mps2-an500/planner-2 targets/planner/linked 1 0.1
check 'the firmware on the host' make -s $out/tactus-served
check 'a link that is interrupted: at rest, and then a new plan' interrupted
check 'four robots that lie stand up and walk at 0.3 m/s within a fifth, 2 cm of height' walks 4 8
sed 's/^/# /' $out/board
finish
