#!/bin/bash
# SPDX-License-Identifier: MIT
# tool.t - does the command-line tool do what its help says, and say what is wrong?   prove tests/tool/tool.t
#   given   the tool in both precisions (make tactus); the firmware for this machine is built here
#   makes   TAP
#   bound   a few seconds
#   never   needs a board or measured data: its tosses are made here
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
out=build/tests/tool
mkdir -p $out

# Every line of a CSV file has as many fields as its first, and there are LINES of them. FILE LINES
is_table() {
    awk -F, -v lines="$2" 'NR == 1 { n = NF } NF != n { exit 1 } END { if (NR != lines) exit 1 }' "$1"
}

# NAME FLAGS...: the firmware on stdin and stdout of a program here.
firmware() {
    local name=$1
    shift
    gcc -std=c99 -O0 -ffp-contract=off -fno-tree-vectorize -fno-math-errno -fno-common "$@" -Iinclude -Iport \
        targets/firmware/main.c port/link/{server,frame,image,image_model,image_room,method,question,value,wire}.c port/posix/port.c src/tactus.c -o "$out/$name"
}

# COMMAND...: interrupted after a second, as by Ctrl-C.
interrupted() {
    "$@" &
    sleep 1
    kill -INT $!
    wait $!
}

# ---------------------------------------------------------------------------------------------------------- made data

columns=toss,time,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz

# Two tosses of 20 rows in free flight, stepped as the kernel does it; the second one turns about the body's x axis.
flight() {
    awk -v columns=$columns 'BEGIN {
        print columns
        for (toss = 4; toss <= 6; toss += 2) {
            h = 1 / 148; x = 0.1 * toss; z = 2; vz = 1; w = toss == 6 ? 3 : 0
            for (k = 0; k < 20; k++) {
                printf "%d,%.9f,%.9f,0,%.9f,%.9f,%.9f,0,0,0.5,0,%.9f,%d,0,0\n",
                    toss, k * h, x, z, cos(w * k * h / 2), sin(w * k * h / 2), vz, w
                z += h * vz - 9.81 * h * h / 2; vz -= 9.81 * h; x += 0.5 * h
            }
        }
    }'
}

# A toss that falls flat from 5 mm and is recorded for 30 rows.
fall() {
    echo $columns
    for ((k = 0; k < 30; k++)); do echo "1,$(awk "BEGIN { print $k / 148 }"),0,0,0.0574,1,0,0,0,0.1,0,0,0,0,0"; done
}

flight >$out/flight.csv
fall >$out/fall.csv
awk -F, 'BEGIN { OFS = "," } { print $15, $14, $13, $12, $11, $10, $9, "note", $8, $7, $6, $5, $4, $3, $2, $1 "\r" }' \
    $out/flight.csv >$out/turned.csv
cut -d, -f1-5,7- $out/flight.csv >$out/no_column.csv
sed '7s/,0,0$//' $out/flight.csv >$out/short.csv
sed '7s/^4,/4x,/' $out/flight.csv >$out/letters.csv
sed '7s/,0.5,/,nan,/' $out/flight.csv >$out/nan.csv
sed '7s/,0.5,/,,/' $out/flight.csv >$out/hole.csv
sed '7s/^4,[0-9.]*/4,0/' $out/flight.csv >$out/time.csv
sed '7s/,1.000000000,/,1.5,/' $out/flight.csv >$out/norm.csv
head -1 $out/flight.csv >$out/header.csv
: >$out/empty.csv

# -------------------------------------------------------------------------------------------------------------- tests

check 'firmware of 32 bits' firmware firmware-32 -DTAC_REAL_BITS=32
check 'firmware of 64 bits' firmware firmware-64 -DTAC_REAL_BITS=64
check 'firmware that drops contacts' firmware firmware-small -DTAC_REAL_BITS=32 -DTAC_MAX_CONTACTS=2

for bits in 32 64; do
    tool=build/host/gcc-O2-$bits/tactus
    check "$bits: no command is wrong usage" gives 2 'usage: tactus' $tool
    check "$bits: another command is wrong usage" gives 2 'no such command' $tool fly
    check "$bits: help" gives 0 'usage: tactus' $tool --help
    for command in run view toss demo link info; do
        check "$bits: help of $command" gives 0 "usage: tactus $command" $tool $command --help
        check "$bits: an option that $command has not" gives 2 'no such option' $tool $command --bogus
    done
    check "$bits: info" gives 0 "reals of $bits bits" $tool info
    check "$bits: the version, as CHANGELOG.md calls it" gives 0 "tactus $(sed -n 's/^## \([0-9.]*\).*/\1/p' CHANGELOG.md | head -1)" $tool --version
    check "$bits: -h is --help" gives 0 'usage: tactus run' $tool run -h

    for scene in $($tool run --list | cut -d' ' -f1); do
        check "$bits: scene $scene" gives 0 'hash' $tool run "$scene" --steps 20 --csv $out/run.csv
        check "$bits: scene $scene: a row per step" is_table $out/run.csv 22
    done
    check "$bits: two runs give the same file" cmp \
        <($tool run mixed --steps 50 --csv /dev/stdout) <($tool run mixed --steps 50 --csv /dev/stdout)
    $tool run mixed --steps 50 --csv - >$out/table 2>$out/said
    check "$bits: a table on standard output, and nothing else" is_table $out/table 52
    check "$bits: the rest on standard error" grep -q '^hash ' $out/said
    check "$bits: how many steps are not solved" gives 0 'not solved: 0 of 20 steps' $tool run box_incline --steps 20
    check "$bits: is said in the last line" test "$(tail -1 $out/log)" = 'not solved: 0 of 20 steps'
    check "$bits: no scene" gives 2 'an argument is missing' $tool run
    check "$bits: two scenes" gives 2 'wall: one argument too many' $tool run stack wall
    check "$bits: no such scene" gives 2 'no such scene' $tool run nowhere
    check "$bits: no steps" gives 2 'not a count' $tool run stack --steps 0
    check "$bits: steps that are no number" gives 2 'not a count' $tool run stack --steps 1e3
    check "$bits: an option without its value" gives 2 'needs a value' $tool run stack --steps
    check "$bits: a file that cannot be written" gives 1 'No such file' $tool run stack --csv $out/no/where.csv
    check "$bits: two kinds of a log" gives 2 'not both' $tool run stack --csv $out/run.csv --log $out/run.mcap
    check "$bits: a log on a full disk" gives 1 'No space' $tool run stack --steps 20 --log /dev/full
    check "$bits: a full disk" gives 1 'No space' $tool run stack --steps 20 --csv /dev/full

    check "$bits: free flight: position" gives 0 'position: mean 0.0000, median 0.0000 widths' \
        $tool toss $out/flight.csv
    check "$bits: free flight: rotation" gives 0 'rotation: mean 0.00, median 0.00 degrees' $tool toss $out/flight.csv
    check "$bits: free flight: counts" gives 0 'all 2 tosses, 40 rows' $tool toss $out/flight.csv
    check "$bits: free flight: ten steps a row" gives 0 '     190 ' $tool toss $out/flight.csv --substeps 10
    check "$bits: free flight: a step of 5 ms" gives 0 'h = 0.005 s' $tool toss $out/flight.csv --h 0.005
    check "$bits: columns in another order, CRLF" gives 0 'position: mean 0.0000, median 0.0000 widths' \
        $tool toss $out/turned.csv --csv $out/toss.csv
    check "$bits: a row per row" is_table $out/toss.csv 41
    check "$bits: no column" gives 1 "no_column.csv:1: no column 'qw'" $tool toss $out/no_column.csv
    check "$bits: short row" gives 1 'short.csv:7: 13 fields, the header has 15' $tool toss $out/short.csv
    check "$bits: letters" gives 1 "letters.csv:7: '4x' in column 'toss' is not a number" $tool toss $out/letters.csv
    check "$bits: nan" gives 1 "nan.csv:7: 'nan' in column 'vx' is not a number" $tool toss $out/nan.csv
    check "$bits: a field left out" gives 1 "hole.csv:7: '' in column 'vx' is not a number" $tool toss $out/hole.csv
    check "$bits: time" gives 1 'time.csv:7: time 0 does not increase' $tool toss $out/time.csv
    check "$bits: norm" gives 1 'norm.csv:7: the quaternion has norm 1.5' $tool toss $out/norm.csv
    check "$bits: no rows" gives 1 'header.csv: no rows' $tool toss $out/header.csv
    check "$bits: empty file" gives 1 'empty.csv: empty' $tool toss $out/empty.csv
    check "$bits: no file" gives 1 'No such file' $tool toss $out/nothing.csv
    check "$bits: h and substeps" gives 2 'not both' $tool toss $out/flight.csv --h 0.01 --substeps 2
    check "$bits: h of 0" gives 1 'cube: status -2 (model): h = 0 is not positive' $tool toss $out/flight.csv --h 0
    check "$bits: negative friction" gives 1 'friction' $tool toss $out/flight.csv --mu -1

    firmware=exec:$out/firmware-$bits
    check "$bits: the same through a firmware" gives 0 'firmware: 58 steps, same hash' \
        $tool toss $out/fall.csv --substeps 2 --link $firmware
    check "$bits: demo" gives 0 'at rest since' $tool demo --link $firmware --csv $out/demo.csv
    check "$bits: demo: same hash" gives 0 'same hash' $tool demo --link $firmware
    check "$bits: demo from a file" gives 0 'measured: 20 rows' \
        $tool demo --link $firmware --toss $out/flight.csv --number 6
    check "$bits: demo of no such toss" gives 1 'no toss 5' \
        $tool demo --link $firmware --toss $out/flight.csv --number 5
    check "$bits: demo without a link" gives 2 'usage' $tool demo

    check "$bits: hello" gives 0 "reals of $bits bits" $tool link $firmware hello
    check "$bits: a conversation" gives 0 'step 150: status 0' \
        $tool link $firmware hello scene stack step 150 state contacts report hash
    check "$bits: the stages of the solve" grep -q '^stage 0: accelerated on bodies, exact friction, sweeps [1-9]' $out/log
    check "$bits: an interrupt ends the steps" gives 1 'steps were not taken' interrupted $tool link $firmware \
        scene stack step 100000000
    check "$bits: and says how many were taken" grep -qE '^step [1-9][0-9]*: status 0' $out/log
    check "$bits: nothing to say" gives 2 'usage' $tool link $firmware
    check "$bits: no such word" gives 2 'no such command' $tool link $firmware jump
    check "$bits: step of no number" gives 1 'not a count' $tool link $firmware step far
    check "$bits: step without a number" gives 2 'needs a value' $tool link $firmware step
    check "$bits: no such program" gives 1 'No such file' $tool link exec:$out/nothing hello
    check "$bits: nobody at a port of UDP" gives 1 'the other side is gone' $tool link udp:127.0.0.1:9 hello
    check "$bits: no such socket" gives 1 'No such file' $tool link unix:$out/nothing hello
    check "$bits: no such endpoint" gives 1 'none of tty:' $tool link nothing hello
    check "$bits: a link without a command" gives 2 'an argument is missing' $tool link exec:true
    check "$bits: no such solver" gives 2 'no such name' $tool run stack --solver best
    check "$bits: no gravity" gives 2 'not a number, or three' $tool run stack --gravity 1,2
    check "$bits: too many sweeps" gives 2 '10000 at most' $tool run stack --sweeps 70000
    check "$bits: arguments of a converter, for a scene" gives 2 'only of a model from a file' $tool run stack -- --z 1
    check "$bits: a program that says nothing" gives 1 'the other side is gone' $tool link exec:true hello
    other=$((96 - bits))
    check "$bits: a firmware of $other bits says hello" gives 0 "reals of $other bits" \
        $tool link exec:$out/firmware-$other hello
    check "$bits: a firmware of $other bits is refused" gives 1 "computes in $other bits" \
        $tool demo --link exec:$out/firmware-$other
done

check 'a difference is found' gives 1 'toss 1: the firmware differs from the host'"'"'s kernel after step 5' \
    build/host/gcc-O2-32/tactus toss $out/fall.csv --link exec:$out/firmware-small
check 'a difference within a row is found' gives 1 'differs from the host'"'"'s kernel after step' \
    build/host/gcc-O2-32/tactus toss $out/fall.csv --substeps 10 --link exec:$out/firmware-small
check 'a difference in the demo is found' gives 1 'differs from the host'"'"'s kernel after step' \
    build/host/gcc-O2-32/tactus demo --link exec:$out/firmware-small
# ---------------------------------------------------------------------------------------------------------- methods

check "a scene under the step of T03" gives 0 'flags        full 0, unconverged 0' build/tactus run box_incline --method lcp --steps 50
check "the same by sweeps" gives 0 'steps        50 ' build/tactus run box_incline --method lcp-sweeps --directions 4 --steps 50
check "no such method" gives 2 'pgs: no such method' build/tactus run box_incline --method pgs
check "under round friction cones" gives 0 'flags        full 0, unconverged 0' build/tactus run box_incline --method lcp --directions 0 --steps 50
check "a friction cone of two edges" gives 2 '3 .. 16' build/tactus run box_incline --method lcp --directions 2
check "of three hundred" gives 2 '3 .. 16' build/tactus run box_incline --method lcp --directions 300
check "firmware with room for T03" firmware firmware-lcp -DTAC_REAL_BITS=64 -DTAC_MAX_LCP=60
check "its steps there and here" gives 0 'same hash' build/tactus run box_incline --method lcp --directions 6 --steps 50 --link exec:$out/firmware-lcp
check "and by sweeps" gives 0 'same hash' build/tactus run box_incline --method lcp-sweeps --steps 20 --link exec:$out/firmware-lcp
check "a firmware without refuses them" gives 1 'number out of range' build/tactus run box_incline --method lcp --link exec:$out/firmware-64
check "too many contacts for it" gives 1 'on_field: not by --method lcp: its contacts take more rows' build/tactus run on_field --method lcp
check "with few directions they have room" gives 0 'not solved: 0 of 100 steps' build/tactus run on_field --method lcp --directions 4 --steps 100
check "the list says so" gives 0 'on_field         -   implicit -    ' build/tactus run --list
check "bodies between walls that overlap gain no energy by it" gives 0 'energy       kinetic 0.0' build/tactus run solids --method lcp --steps 20
check "a scene under the implicit step" gives 0 'flags        full 0, unconverged 0' build/tactus run stack --method implicit --steps 50
check "and a robot" gives 0 'flags        full 0, unconverged 0' build/tactus run stand --method implicit --steps 20
check "a chain under HHT" gives 0 'flags        full 0, unconverged 0' build/tactus run chain --method hht --damping -0.1 --steps 50
check "not with contacts" gives 1 'stack: not by --method euler: it has contacts' build/tactus run stack --method euler
check "more damping than HHT has" gives 2 'alpha -1/3 .. 0' build/tactus run chain --method hht --damping -0.5
check "firmware with all of them" firmware firmware-steppers -DTAC_REAL_BITS=64 -DTAC_MAX_JOINTS=8 -DTAC_MAX_FILL=48 -DTAC_MAX_NCP=90 -DTAC_DAE=1
for method in "stack implicit" "chain trapezoidal" "four_bar generalised-alpha"; do
    check "$method: there and here" gives 0 'same hash' build/tactus run ${method% *} --method ${method#* } --steps 20 --link exec:$out/firmware-steppers
done

# ---------------------------------------------------------------------------------------------- questions about an instant

check "accelerations at rest" gives 0 'rolls' build/tactus accelerations stack --steps 50
check "under round friction cones" gives 0 'rolls' build/tactus accelerations stack --steps 50 --directions 0
check "friction cones of two edges" gives 2 '3 .. 16' build/tactus accelerations stack --directions 2
check "of a robot" gives 0 'joint: acceleration' build/tactus accelerations trot --steps 20
check "where a cube strikes there are none" gives 1 'asks for an impulse' build/tactus accelerations cube_toss --steps 145
system() { # CONDITION COMMAND...: of the matrices y that the command prints
    "${@:2}" | python3 -c "import json, sys; y = json.load(sys.stdin); assert $1, {k: v for k, v in y.items() if k in ('x', 'u', 'l', 'contacts')}"
}
check "a linear complementarity system" system "y['x'] == 12 and y['l'] == 6 * y['contacts'] == len(y['F']) > 0" build/tactus linearise cube_toss --steps 300
check "planar, after Anitescu" system "y['l'] == 2 * y['contacts'] > 0" build/tactus linearise cube_toss --steps 300 --form anitescu --directions 1
check "of the closest pair alone" system "0 < y['contacts'] <= 4" build/tactus linearise stack --steps 50 --closest 1
c3() { # TOOL SCENE STEPS FORM TOLERANCE [MASS MOMENT]
    "build/$1" linearise "$2" --steps "$3" --form "$4" --c3 | python3 tests/tool/c3.py "${@:4}"
}
for form in stewart-trinkle anitescu; do
    check "a cube in c3's form, $form, tumbling" c3 tactus cube_toss 300 $form 1e-12 0.37 0.00081
    check "and four cubes at rest" c3 tactus stack 50 $form 1e-12 1 0.16666666666666666
done
check "in float" c3 tactus-float cube_toss 300 anitescu 1e-4 0.37 0.00081
check "robots in c3's form" c3 tactus stand 200 stewart-trinkle 1e-12
check "that move" c3 tactus trot 300 stewart-trinkle 1e-12
check "no derivative in c3's form" gives 2 'not its derivative' build/tactus linearise stack --c3 --derivative
check "the derivative of a step" system "len(y['A']) == y['x'] and len(y['B'][0]) == y['u'] == 12" build/tactus linearise trot --steps 20 --derivative
check "by parameters: gravity aside, what is twice as heavy falls alike" system "len(y['P']) == y['x'] and y['parameter'][1] == ['mass', 1] and max(abs(row[1]) for row in y['P']) < 1e-12" build/tactus linearise cube_toss --steps 20 --derivative --parameters
check "what slides is slower by friction" system "y['parameter'][0] == ['friction', 0] and max(abs(row[0]) for row in y['P'][6:]) > 1e-3" build/tactus linearise cube_toss --steps 300 --derivative --parameters
check "parameters of a robot, by name" system "len(y['parameter']) == len(y['P'][0]) and ['motor', 11] in y['parameter']" build/tactus linearise trot --steps 20 --derivative --parameters
check "no parameters of a system" gives 2 'belongs to --derivative' build/tactus linearise stack --parameters
check "a firmware with room for questions" firmware firmware-questions -DTAC_REAL_BITS=64 -DTAC_MAX_JOINTS=16 -DTAC_MAX_FILL=48 -DTAC_MAX_LCP=60
for question in "accelerations trot" "linearise trot" "linearise trot --derivative" "linearise cube_toss --form anitescu --directions 1"; do
    check "$question: there and here" gives 0 'firmware: the same ' build/tactus $question --steps 300 --link exec:$out/firmware-questions
done
check "more contacts than it has room for" gives 1 'the question: status -6 (table full): there is no room for 16 contacts' build/tactus accelerations stack --steps 50 --link exec:$out/firmware-questions
check "a firmware without refuses questions" gives 1 'the question: refused, number out of range' build/tactus accelerations cube_toss --link exec:$out/firmware-64
check "no such form" gives 2 'stewart-trinkle or anitescu' build/tactus linearise stack --form baraff
check "nine directions" gives 2 '1 .. 8' build/tactus linearise stack --directions 9

# ------------------------------------------------------------------------------------------------------------- make

check "no such variant" gives 2 'there is no variant foo' env MAKEFLAGS= make test-host VARIANT=foo
read_only() { # the tree, seen through a mount that cannot be written
    unshare -m bash -c "mount --bind . /mnt && mount -o remount,ro,bind /mnt && MAKEFLAGS= make -C /mnt demo"
}
if unshare -m true 2>/dev/null; then
    check "a tree that cannot be written" gives 2 'build/ cannot be written here' read_only
fi
quiet() { # make -j2 of a target that calls make
    ! MAKEFLAGS= make -n -j2 tactus 2>&1 | grep -i 'warning'
}
check "make -j2 is no warning" quiet

finish
