#!/bin/bash
# SPDX-License-Identifier: MIT
# rollout.t - many roll-outs of one robot, here and by MuJoCo: do they end alike, and what do they cost?   prove tests/oracle/rollout.t
#   given   gcc, valgrind, MuJoCo (Debian: libmujoco-dev), without which the test is skipped; the table of src/predict/README.md
#   makes   TAP: the ends, and instructions a step of each way against the page; "rollout.t time": the table, with times
#   bound   a minute, the kernel compiled once
#   never   tests a time
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
need 'no MuJoCo' has_header mujoco/mujoco.h gcc
need 'no valgrind' valgrind --version
out=build/tests/rollout
mkdir -p $out
# shellcheck disable=SC2046
gcc -std=c99 -O2 -ffp-contract=off -fno-tree-vectorize -fno-math-errno -fno-common -Wall -Wextra -Werror -D_POSIX_C_SOURCE=200809L \
    $(MAKEFLAGS='' make -s -f tests/configurations.mk flags-planner) -DTAC_REAL_BITS=64 -Iinclude -Iport -Itests -Itargets/scenes \
    tests/oracle/rollout.c tests/tap.c port/posix/port.c targets/scenes/robots.c src/tactus.c -lmujoco -lm -o $out/rollout

counted() { # WAY: thousands of instructions a step, of 40 worlds of 50 steps
    valgrind --tool=callgrind --callgrind-out-file=$out/$1 --toggle-collect=by_$1 $out/rollout $out/robot.xml "$1" 2>&1 |
        awk '/Collected/ { printf "%.1f\n", $NF / 2e6 }'
}
row() { # WAY: of the page
    case $1 in
    steps) echo '`tac_step()` in a loop' ;;
    full) echo '`tac_rollout()`' ;;
    fresh) echo '`tac_rollout()`, refreshed every step' ;;
    refreshed) echo '`tac_rollout()`, refreshed every 5 steps' ;;
    mujoco) echo 'MuJoCo 2.2.2, `mj_step()`' ;;
    esac
}
as_stated() { # WAY: no more than 3 % above the page; MuJoCo, whose libraries differ from machine to machine, 15 % to either side
    local is stated
    is=$(counted "$1") stated=$(awk -F ' *[|] *' -v row="$(row "$1")" '$2 == row { print $3 + 0; exit }' src/predict/README.md)
    echo "# $1: ${is:-none} thousand instructions a step, stated ${stated:-none}" >&3
    awk -v is="$is" -v stated="$stated" -v way="$1" 'BEGIN {
        exit !(is > 0 && is <= (way == "mujoco" ? 1.15 : 1.03) * stated && (way != "mujoco" || is >= 0.85 * stated)) }'
}

exec 3>&1
if [ "${1:-}" = time ]; then
    times=$($out/rollout $out/robot.xml time) mujoco=$(counted mujoco)
    echo '| 40 worlds of 50 steps, double | thousand instructions a step | MuJoCo over this | us a step | MuJoCo over this |'
    echo '| --- | --- | --- | --- | --- |'
    for way in mujoco steps full fresh refreshed; do
        awk -v row="$(row $way)" -v way=$way -v is="$(counted $way)" -v mujoco="$mujoco" '
            $1 == "time" { us[$2] = $3 }
            END { printf "| %s | %.1f | %.2f | %.1f | %.2f |\n", row, is, mujoco / is, us[way], us["mujoco"] / us[way] }' <<<"$times"
    done
    exit
fi
check 'they end alike' $out/rollout $out/robot.xml
for way in steps full fresh refreshed mujoco; do check "$way: instructions, as the page says" as_stated $way; done
finish
