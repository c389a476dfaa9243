#!/bin/bash
# SPDX-License-Identifier: MIT
# runner.t - does tests/run let nothing but a complete pass through?
#   given   tests/run and small scripts in the place of programs
#   makes   TAP
#   bound   one timeout of a second
#   never   needs a board
set -eu
cd "$(dirname "$0")/../.."
out=build/tests/port/runner
mkdir -p $out

count=0
expect() { # NAME CODE TEXT SCRIPT: tests/run ends with CODE and says TEXT
    count=$((count + 1))
    local program=$out/$count code=0
    printf '#!/bin/sh\n%s\n' "$4" >$program
    chmod +x $program
    TEST_TIMEOUT=1 tests/run host $program >$out/log 2>&1 || code=$?
    if [ $code = "$2" ] && grep -qF -- "$3" $out/log; then
        echo "ok $count - $1"
    else
        echo "not ok $count - $1 (code $code)"
        sed 's/^/# /' $out/log
    fi
}

expect "a complete pass passes" 0 'ok 2' 'echo "ok 1 - a"; echo "ok 2 - b"; echo 1..2'
expect "the plan may come first" 0 '1..1' 'echo 1..1; echo "ok 1 - a"'
expect "what goes to stderr counts" 0 'ok 1' 'echo "ok 1 - a" >&2; echo 1..1 >&2'
expect "no plan fails" 1 'plan is missing' 'echo "ok 1 - a"'
expect "a missing test fails" 1 'incomplete' 'echo "ok 1 - a"; echo 1..2'
expect "a failed test fails" 1 'failed' 'echo "not ok 1 - a"; echo 1..1'
expect "a second plan fails" 1 'plan' 'echo 1..1; echo "ok 1 - a"; echo 1..1'
expect "an exit code fails, whatever was said" 3 'exit code 3' 'echo "ok 1 - a"; echo 1..1; exit 3'
expect "a panic is told" 98 'panic' 'exit 98'
expect "a fault is told" 99 'fault' 'exit 99'
expect "a lockup is told" 134 'locked up' 'exit 134'
expect "a hang is told" 124 'no end within 1 s' 'sleep 30'
expect "arguments are needed" 1 'usage' 'exec tests/run host 2>&1 | grep usage'
echo "1..$count"
