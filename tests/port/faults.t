#!/bin/bash
# SPDX-License-Identifier: MIT
# faults.t - does each board report what goes wrong, by name and exit code?   prove tests/port/faults.t [:: BOARD...]
#   given   the programs fault_*.c beside this file; the boards named, else all
#   makes   TAP: for each board and program its exit code and the line of its report
#   bound   30 s a program
#   never   needs anything built before
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh

# program, exit code, line of the report, boards
cases() {
    cat <<'END'
address     99  FAULT: bad data address       *
instruction 99  FAULT: undefined instruction  *
stack       99  FAULT: stack overflow         *
unaligned   99  FAULT: unaligned access       mps2-*
division    99  FAULT: division by zero       mps2-*
panic       98  PANIC: no way on              *
END
}

for board in $(boards "$@"); do
    while read -r program code report; do
        where=${report##* }
        report=$(sed 's/ *[^ ]*$//' <<<"$report")
        # shellcheck disable=SC2053 # a pattern
        [[ $board == $where ]] || continue
        name=tests/port/fault_$program
        elf=$(build "$board" "$name" "$name.c")
        got=0
        output=$(TEST_TIMEOUT=30 tests/run "$board" "$elf") || got=$?
        check "$board: $program ends with $code" [ "$got" = "$code" ]
        check "$board: $program says $report" grep -qxF "$report" <<<"$output"
    done < <(cases)
done
finish
