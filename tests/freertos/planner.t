#!/bin/bash
# SPDX-License-Identifier: MIT
# planner.t - plans of a task that one above it follows, on FreeRTOS: hand-over, age, and a quadruped that is pushed.
#   given   TACTUS_FREERTOS, as freertos.t; the boards named, else mps2-an500
#   makes   TAP; what targets/planner/tasks.c prints as notes
#   bound   two pushes
#   never   depends on the host's clock: the boards count instructions
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
need 'no FreeRTOS' test -f "${TACTUS_FREERTOS:-}/tasks.c"
export SYSTEM=freertos TEST_TIMEOUT=300
out=build/tests/freertos
mkdir -p $out
flags=$(MAKEFLAGS='' make -s -f tests/configurations.mk flags-planner)

program() { # BOARD NAME SOURCE...: prints where it is
    MAKEFLAGS='' make -s -f targets/board.mk BOARD="$1" BOARD_OUT="build/$1/freertos-planner" DEFINES="$flags -DPUSHES=2" \
        PROGRAM="$2" SOURCES="${*:3}" >&2
    echo "build/$1/freertos-planner/$2.elf"
}
passes() { # BOARD: the program speaks TAP
    local elf
    elf=$(program "$1" tests/freertos/planner tests/{freertos/planner,tap}.c port/planner.c src/tactus.c) &&
        tests/run "$1" "$elf" -icount shift=3,sleep=off >$out/said || { cat $out/said; return 1; }
}
pushed() { # BOARD: 1 ns an instruction
    local elf qemu
    elf=$(program "$1" targets/planner/tasks targets/planner/{tasks,trial,stand,search,keep,robot}.c port/planner.c \
        targets/scenes/robots.c src/tactus.c) || return 1
    qemu=$(MAKEFLAGS='' make -s -f targets/board.mk BOARD="$1" print-BOARD_QEMU)
    # shellcheck disable=SC2086
    timeout -k 5 $TEST_TIMEOUT $qemu -icount shift=0,sleep=off -serial null -kernel "$elf" >$out/pushed 2>&1 </dev/null ||
        { cat $out/pushed; return 1; }
}
value() { # NAME: the sum of its lines
    awk -v name="$1" 'index($0, name " ") == 1 { sum += $NF; n++ } END { if (!n) exit 1; print sum }' $out/pushed
}
holds() { # NAME OPERATOR NUMBER
    local is
    is=$(value "$1") && [ "$is" "$2" "$3" ] || { echo "$1: ${is:-missing}, not $2 $3"; return 1; }
}

[ $# -gt 0 ] || set -- mps2-an500
for board in "$@"; do
    check "$board: hand-over" passes "$board"
    sed -n "s/^# /# $board: /p" $out/said
    check "$board: a quadruped is pushed twice" pushed "$board"
    check "$board: no period is missed" holds 'periods missed' -eq 0
    check "$board: control starts within 1 % of its release" holds 'ticks late, at most' -le 200
    check "$board: it does not fall" holds fallen -eq 0
    check "$board: the planner is better than the servos" holds 'cost of planner, of 10000' -lt "$(value 'cost of servos, of 10000')"
    check "$board: at least 15 plans a second" holds plans -ge 54
    check "$board: at rest before the first plan alone" holds 'periods at rest' -le 200
    check "$board: control's stack has room" holds 'bytes left to control' -ge 512
    check "$board: the planner's stack has room" holds 'bytes left to the planner' -ge 512
    check "$board: the robot on the host, behind the link: its commands to the bit" \
        env BOARD="$board" targets/planner/linked 1 0.1
    sed "s/^/# $board: /" $out/pushed
done
finish
