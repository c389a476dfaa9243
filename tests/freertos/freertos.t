#!/bin/bash
# SPDX-License-Identifier: MIT
# freertos.t - the port for FreeRTOS on emulated boards: its contract, periods, overload, hand-over, faults, the example.
#   given   TACTUS_FREERTOS, the folder of the FreeRTOS kernel; without it the test is skipped; the boards named, else both
#   makes   TAP; what the programs measured as notes
#   bound   60 s a program
#   never   depends on the host's clock: the boards count instructions
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
need 'no FreeRTOS' test -f "${TACTUS_FREERTOS:-}/tasks.c"
export SYSTEM=freertos TEST_TIMEOUT=60
out=build/tests/freertos
mkdir -p $out

# 8 ns an instruction: 125 000 in a period, about what a core of 168 MHz does
counted=(-icount "shift=3,sleep=off")
SAVED=208 # bytes of a task's registers on its stack: 26 words by the core, 1 to align, 25 by FreeRTOS

program() { # BOARD NAME: built from tests/freertos, or the port's example
    local source=tests/freertos/$2.c
    [ "$2" != example ] || source=port/freertos/example.c
    build "$1" "${source%.c}" "$source" tests/tap.c port/executive.c src/tactus.c
}
passes() { # BOARD NAME: a program that speaks TAP; what it notes is shown
    local elf
    elf=$(program "$1" "$2") && tests/run "$1" "$elf" "${counted[@]}" >$out/said || { cat $out/said; return 1; }
}
notes() {
    sed -n "s/^# /# $1: /p" $out/said
}
ends() { # BOARD NAME CODE LINE
    local elf code=0
    elf=$(program "$1" "$2") || return 1
    tests/run "$1" "$elf" "${counted[@]}" >$out/said || code=$?
    [ $code = "$3" ] && grep -qxF -- "$4" $out/said || { cat $out/said; return 1; }
}

# The example does not speak TAP: lines "name value", and a code.
show() { # BOARD FILE
    local elf qemu
    elf=$(program "$1" example)
    qemu=$(MAKEFLAGS='' make -s -f targets/board.mk BOARD="$1" print-BOARD_QEMU)
    # shellcheck disable=SC2086
    timeout -k 5 $TEST_TIMEOUT $qemu "${counted[@]}" -serial null -kernel "$elf" >"$2" 2>&1 </dev/null
}
value() { # NAME...: sets the variable of that name, blanks and commas as _, from $out/account
    local name
    for name in "$@"; do
        printf -v "${name//[ ,]/_}" %s "$(sed -n "s/^$name \([0-9]*\)$/\1/p" $out/account)"
    done
}
all() { # EXPRESSION: holds in bash's arithmetic
    (($1)) || { echo "not so: $1"; cat $out/account; return 1; }
}

example() { # BOARD
    local board=$1 object=build/$1/float/obj ci
    check "$board: example: it ends well" show "$board" $out/account
    value "ticks of a period" periods cycles skipped overruns cut refused "ticks late at worst" "predictions made" \
        "predictions right" "predictions wrong" "predictions pending" "ticks of a step, mean" "ticks of the executive" \
        "ticks of the predictor" "bytes of a stack" "bytes left to the executive" "bytes left to the predictor"
    check "$board: example: 2000 periods, each once" all "cycles == 2000 && periods == cycles"
    check "$board: example: none skipped, none overrun, no step cut or refused" \
        all "skipped == 0 && overruns == 0 && cut == 0 && refused == 0"
    check "$board: example: every period starts within 1 % of its release" \
        all "ticks_late_at_worst * 100 <= ticks_of_a_period"
    check "$board: example: every prediction that came due was right to the bit, none came too late" \
        all "predictions_wrong == 0 && predictions_made == predictions_right + predictions_pending"
    check "$board: example: the predictor has the time that the executive leaves" \
        all "100 * ticks_of_the_predictor >= 99 * (cycles * ticks_of_a_period - ticks_of_the_executive)"
    # more of them where steps are cheap: so at least what the mean step of the executive allows
    check "$board: example: and makes as many predictions of it as it allows" \
        all "50 * predictions_made * ticks_of_a_step__mean >= ticks_of_the_predictor"
    mapfile -t ci < <(find $object/src/tactus.ci $object/port $object"$(realpath "$TACTUS_FREERTOS")" \
        -name '*.ci' -not -path '*/bare/port.ci')
    check "$board: example: the stacks hold what the call graph asks for, and the registers" bounded
    check "$board: example: the stacks were used within that" \
        all "bytes_left_to_the_executive >= SAVED && bytes_left_to_the_predictor >= SAVED"
    cp $out/account $out/first
    show "$board" $out/account || true
    check "$board: example: a second run says the same" diff $out/first $out/account
    sed "s/^/# $board: /" $out/first $out/bounds
}
bounded() { # the task's function ends in the port, which does not return
    local limit=$((bytes_of_a_stack - SAVED)) bytes
    : >$out/bounds
    for task in predictor_task executive_task; do
        bytes=$(tests/size/stack.py --root $task "${ci[@]}" 2>/dev/null | awk '{ print $2; exit }')
        [ "${bytes:-0}" -gt 0 ] && [ "$bytes" -le $limit ] || { echo "$task: $bytes bytes, limit $limit"; return 1; }
        echo "call graph of $task $bytes" >>$out/bounds
    done
}
channel() { # BOARD
    ECHO=tests/freertos/echo tests/port/channel.t "$1" >$out/said 2>&1 || true
    grep -qx '1\.\.[1-9]' $out/said && ! grep -q '^not ok' $out/said || { cat $out/said; return 1; }
}
no_heap() { # BOARD
    ! nm build/"$1"/float/port/freertos/example.elf | grep -iE 'malloc|vPortFree|_sbrk'
}
at_culprit() { # BOARD: the report names the place in the task
    local place
    place=$(nm build/"$1"/float/tests/freertos/fault_task.elf | awk '$3 == "culprit" { print $1 }')
    grep -q "  pc $place " $out/said
}

[ $# -gt 0 ] || set -- mps2-an386 mps2-an500
for board in "$@"; do
    for name in contract periods handover; do
        check "$board: $name" passes "$board" $name
        notes "$board: $name"
    done
    check "$board: the byte channel of a task loses nothing" channel "$board"
    check "$board: two tasks that sleep on the alarm are told" \
        ends "$board" fault_alarm 98 'PANIC: port_wait_until: another task sleeps on the alarm'
    check "$board: a task's stack that is spent is told" ends "$board" fault_stack 98 'PANIC: stack overflow of that task'
    check "$board: a fault in a task is told" ends "$board" fault_task 99 'FAULT: undefined instruction'
    check "$board: with the task's own registers" at_culprit "$board"
    example "$board"
    check "$board: no heap is linked" no_heap "$board"
done
finish
