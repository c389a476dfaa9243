#!/bin/bash
# SPDX-License-Identifier: MIT
# solve.t - does tactus solve read what it should, and reach what is promised?   prove tests/tool/solve.t
#   given   the tool in both precisions (make tactus); TACTUS_DATA for the public problems
#   makes   TAP; the figures reached as diagnostics
#   bound   a minute
#   never   asks for more digits than a method promises: the bounds below are those of src/problem/README.md
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
out=build/tests/solve
mkdir -p $out

# A ball of mass 2 on the ground, radius 1, sliding: N = diag(1, 3.5, 3.5)/2, q = (-1, v, 0).
ball() { # MU V
    printf 'fc3d 1\n# a ball\n1 1\n%s -1 %s 0\n0 0 0.5 0 0 0 1.75 0 0 0 1.75\n' "$1" "$2"
}
ball 0.5 0.5 >$out/stick.fc3d
ball 0.1 3.0 >$out/slide.fc3d
# g = (2, -0.2, 0) stops it; u = (0, 3 - 1.75 * 0.2, 0)
printf 'fc3d-ref 1\n# by hand\n1\n0 0 0 0 0 0 2 -0.2 0 0 2.65 0\n' >$out/slide.ref
printf 'fc3d 1\n# nothing\n0 0\n' >$out/empty.fc3d
sed 's/^fc3d 1/fc3d 2/' $out/stick.fc3d >$out/version.fc3d
sed 2d $out/stick.fc3d >$out/comment.fc3d
sed 's/^0.5 -1/-0.5 -1/' $out/stick.fc3d >$out/friction.fc3d
sed 's/1.75$/nan/' $out/stick.fc3d >$out/nan.fc3d
sed 's/1.75$//' $out/stick.fc3d >$out/short.fc3d
{ cat $out/stick.fc3d; echo 1; } >$out/long.fc3d
sed 's/^0 0 0.5/0 1 0.5/' $out/stick.fc3d >$out/column.fc3d
sed 's/^0 0 0.5 0/0 0 0.5 1/' $out/stick.fc3d >$out/asymmetric.fc3d
sed 's/^0 0 0.5/0 0 -0.5/' $out/stick.fc3d >$out/negative.fc3d
sed 's/^1 1/100000 1/' $out/stick.fc3d >$out/large.fc3d
{ sed 's/^1 1/1 2/' $out/stick.fc3d; tail -n 1 $out/stick.fc3d; } >$out/order.fc3d
sed 's/^1$/2/' $out/slide.ref >$out/stick.ref

for bits in 64 32; do
    tool=build/host/gcc-O2-$bits/tactus
    solve() { $tool solve "$@"; }
    rm -f $out/wrong.fc3d
    for method in jacobi sor symmetric accelerated apgd spectral direct auto; do
        check "$bits $method: a ball slides" gives 0 '0 open, 0 stick, 1 slide' solve $out/slide.fc3d --method $method
    done
    check "$bits: as by hand" gives 0 '0 slide 2 -0.2' solve $out/slide.fc3d --impulses
    check "$bits: and says how far from the reference" gives 0 'velocity error' solve $out/slide.fc3d
    check "$bits: a ball sticks" gives 1 '2 contacts, the problem has 1' solve $out/stick.fc3d
    check "$bits: relaxed, it lifts off" gives 0 'relaxed law' solve $out/slide.fc3d --law relaxed
    check "$bits: nothing to solve" gives 0 'contacts 0' solve $out/empty.fc3d
    check "$bits: help" gives 0 '--least-norm' solve --help
    check "$bits: no file" gives 2 'usage' solve
    check "$bits: no such file" gives 1 'No such file' solve $out/nothing.fc3d
    check "$bits: no such method" gives 2 '--method magic' solve $out/slide.fc3d --method magic
    check "$bits: no such law" gives 2 '--law none' solve $out/slide.fc3d --law none
    check "$bits: minres does not project" gives 1 'minres does not solve contacts' solve $out/slide.fc3d --method minres
    check "$bits: a tolerance that is not met" gives 1 'r_natmap' solve $out/slide.fc3d --method jacobi --sweeps 1 --tolerance 1e-6
    check "$bits: a tolerance below zero" gives 1 'out of range' solve $out/slide.fc3d --tolerance -1
    check "$bits: another version" gives 1 "version.fc3d:1: the first line must be 'fc3d 1'" solve $out/version.fc3d
    check "$bits: no comment" gives 1 'comment.fc3d:2: the second line must be a comment' solve $out/comment.fc3d
    check "$bits: negative friction" gives 1 'friction.fc3d:4: mu is -0.5' solve $out/friction.fc3d
    check "$bits: not a number" gives 1 "nan.fc3d:5: 'nan' is not a number" solve $out/nan.fc3d
    check "$bits: too short" gives 1 'ends where an entry of a block should be' solve $out/short.fc3d
    check "$bits: too long" gives 1 "long.fc3d:6: '1' after the last block" solve $out/long.fc3d
    check "$bits: a column out of range" gives 1 'column.fc3d:5: 1 as a column, at most 0' solve $out/column.fc3d
    check "$bits: out of order" gives 1 'order.fc3d:6: block 0 0 out of order' solve $out/order.fc3d
    check "$bits: too large" gives 1 'large.fc3d:3: 100000 contacts, at most' solve $out/large.fc3d
    check "$bits: not symmetric" gives 1 'not symmetric' solve $out/asymmetric.fc3d
    check "$bits: not positive" gives 1 'contact 0' solve $out/negative.fc3d
done

# --------------------------------------------------------------------------------------------------------- from a run

# The normal impulses that solve finds of a step of SCENE add up to what the run's table says of that step.
same_impulse() { # TOOL SCENE TOLERANCE
    $1 run "$2" --steps 60 --csv $out/run.csv --problem 60 $out/run.fc3d >/dev/null
    $1 solve $out/run.fc3d --impulses >$out/run.txt
    awk -F, -v t="$3" '
        FILENAME ~ /csv$/ && FNR == 1 { for (i = 1; i <= NF; i++) if ($i == "contact/impulse") at = i }
        FILENAME ~ /csv$/ { want = $at }
        FILENAME ~ /txt$/ { split($0, word, " "); if (word[2] ~ /open|stick|slide/ && word[1] ~ /^[0-9]+$/) sum += word[3] }
        END { d = sum - want; if (d < 0) d = -d; if (!(want > 0 && d <= t * want)) { print sum, "is not", want; exit 1 } }' \
        $out/run.csv $out/run.txt
}
same_on_stdout() { # TOOL: the problem alone, to the byte what the file has
    $1 run mixed --steps 30 --problem 20 $out/run.fc3d >/dev/null && $1 run mixed --steps 30 --problem 20 - 2>/dev/null | cmp - $out/run.fc3d
}
for bits in 64 32; do
    tool=build/host/gcc-O2-$bits/tactus
    [ $bits = 64 ] && tolerance=1e-8 || tolerance=1e-5
    for scene in sphere_slide mixed stand box_incline; do
        check "$bits: the problem of a step of $scene has its impulses" same_impulse $tool $scene $tolerance
    done
    check "$bits: the problem on standard output" same_on_stdout $tool
    check "$bits: a motor at its bounds is refused" gives 1 'dry friction of a joint acts in this step: joint' \
        $tool run rover --problem 100 $out/refused.fc3d
    check "$bits: a step that is not taken" gives 2 '--problem: there are 10 steps' $tool run stand --steps 10 --problem 11 $out/no.fc3d
    check "$bits: another stepper has no such problem" gives 2 'only of --method ccp' $tool run stack --method lcp --problem 1 $out/no.fc3d
    check "$bits: a folder that is not there" gives 1 'No such file' $tool run stack --problem 1 $out/no/no.fc3d
    check "$bits: the file is missing" gives 2 'needs a count and a value' $tool run stack --problem 1
    check "$bits: the curve ends at the residual of the solve" gives 0 "$($tool solve $out/slide.fc3d --method sor --sweeps 30 |
        sed -n 's/^r_natmap \([^,]*\),.*/30,\1/p')" $tool solve $out/slide.fc3d --method sor --curve --sweeps 30
    check "$bits: a curve of all methods" gives 0 'passes,jacobi,sor,symmetric,accelerated,apgd,spectral,direct' $tool solve $out/slide.fc3d --curve
done

# ------------------------------------------------------------------------------------------------------ public problems

data=${TACTUS_DATA:-}/fc3d
if [ ! -f "$data/problems.csv" ]; then
    echo "# skipped: no data (TACTUS_DATA)"
    finish
    exit
fi
mapfile -t all < <(tail -n +2 "$data/problems.csv" | cut -d, -f1)
mapfile -t small < <(awk -F, 'NR > 1 && $2 <= 64 { print $1 }' "$data/problems.csv")
mapfile -t middle < <(awk -F, 'NR > 1 && $2 >= 9 && $2 <= 64 && $1 !~ /^Rover/ { print $1 }' "$data/problems.csv")

residual() { # TOOL PROBLEM ARGUMENT...
    "$1" solve "$data/$2.fc3d" "${@:3}" | sed -n 's/^r_natmap \([^,]*\),.*/\1/p'
}
below() { # VALUE BOUND
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a <= b) }' || {
        echo "$1, more than $2"
        return 1
    }
}
mean() { # geometric, of the lines of stdin
    awk '{ sum += log($1 > 1e-16 ? $1 : 1e-16) } END { printf "%.2e\n", exp(sum / NR) }'
}

# resS that plain Gauss-Seidel is known to reach at that cost
known() { # PROBLEM PASSES
    awk -F, -v p="$1" -v u="$2" '$1 == p && $2 == "pgs" && $3 == u { print $5 }' "$data/curves.csv"
}
tool=build/host/gcc-O2-64/tactus
while read -r passes bound; do
    for problem in "${middle[@]}"; do
        reached=$(residual $tool "$problem" --law relaxed --sweeps "$passes")
        echo "$reached"
        # what is rounding here is rounding there
        below "$reached" "$(known "$problem" "$passes" | awk '{ print ($1 > 2e-15 ? $1 : 2e-15) }')" >&2 || echo 1e9
    done >$out/reached
    got=$(mean <$out/reached)
    echo "# $passes passes: $got"
    check "relaxed, geometric mean after $passes passes, and never above plain Gauss-Seidel" below "$got" "$bound"
done <<<"10 5e-3
20 2e-4
50 1.5e-6
100 1e-8
200 1e-10"

for problem in "${all[@]}"; do
    check "$problem: relaxed to 1e-8" below "$(residual $tool "$problem" --law relaxed --tolerance 1e-9)" 1e-8
    if [ "$problem" = RockPile_tob1 ]; then
        check "$problem: exact to 5e-5" below "$(residual $tool "$problem" --method direct --sweeps 20000)" 5e-5
    else
        check "$problem: exact to 1e-8" below "$(residual $tool "$problem" --tolerance 1e-9)" 1e-8
    fi
done
for problem in "${small[@]}"; do
    for law in exact relaxed; do
        check "$problem: float, $law, to 1e-5" below "$(residual build/host/gcc-O2-32/tactus "$problem" --law $law)" 1e-5
    done
done
# no method ends worse than the sweeps that it begins with or falls back to, but for rounding: two roundings, 2.4e-7 in float
mapfile -t swept_too < <(awk -F, 'NR > 1 && $2 <= 300 { print $1 }' "$data/problems.csv")
for bits in 64 32; do
    [ $bits = 64 ] && rounding=5e-16 || rounding=2.4e-7
    for problem in "${swept_too[@]}"; do
        for law in exact relaxed; do
            swept=$(residual build/host/gcc-O2-$bits/tactus "$problem" --law $law --method accelerated)
            bound=$(awk -v r="$swept" -v e=$rounding 'BEGIN { print (2 * r > e ? 2 * r : e) }')
            for method in direct auto; do
                check "$problem: $bits bits, $law: $method no worse than sweeps" \
                    below "$(residual build/host/gcc-O2-$bits/tactus "$problem" --law $law --method $method)" "$bound"
            done
        done
    done
done
for problem in Rover1039 Rover1040 Rover11035 Rover3865 Rover4493 Rover4609 Rover9770; do
    for method in auto accelerated apgd spectral direct; do
        check "$problem: $method converges" below "$(residual $tool $problem --law relaxed --method $method)" 1e-8
    done
done
finish
