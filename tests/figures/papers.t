#!/bin/bash
# SPDX-License-Identifier: MIT
# papers.t - do the runs behind the papers' figures have what the papers say of them?   prove tests/figures/papers.t
#   given   gcc; gnuplot for the pictures
#   makes   TAP
#   bound   a kernel without optimisation, and runs of seconds: not the polygons of CBAT07, which take minutes
#   never   looks at pixels: what a picture is drawn from is held
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
out=build/tests/papers
mkdir -p $out
rm -f $out/*.csv $out/*.png
gcc -std=c99 -O0 -ffp-contract=off -fno-math-errno -D_POSIX_C_SOURCE=200809L -Iinclude -Itests -Itests/physics -DTAC_REAL_BITS=64 \
    -DTAC_DAE=1 -DTAC_MAX_JOINTS=1 -DTAC_MAX_FILL=8 -DTAC_ROLLING=1 -DTAC_MAX_LCP=60 -DTAC_MAX_NCP=60 tests/figures/papers.c src/tactus.c -lm -o $out/papers
$out/papers $out t03 cbat07-3 cbat07-6 nst17 tce17

# TABLE AWK: the program's exit code for the table, whose columns are c["NAME"].
holds() {
    awk -F, "function abs(x) { return x < 0 ? -x : x }
        NR == 1 { for (i = 1; i <= NF; i++) c[\$i] = i; next } { rows++ } $2" $out/"$1".csv || { tail -3 $out/"$1".csv; return 1; }
}
check 'T03, 8: the velocities are exact, as the paper says' holds t03-8 '
    $1 != "" { points++; if (abs($c["vx"] - $c["exact_vx"]) + abs($c["wy"] - $c["exact_wy"]) > 1e-8) bad++ } END { exit bad || points != 6 }'
check 'T03, 9: means of steps beside means of steps' holds t03-9 '
    $c["mean_ct"] != "" { points++; if (abs($c["ct"] - $c["mean_ct"]) + abs($c["co"] - $c["mean_co"]) > 1e-8) bad++ } END { exit bad || points != 5 }'
check 'CBAT07, 3: it stops spinning as it should, and does nothing else' holds cbat07-3 '
    { if (abs($c["wz"] - $c["exact_wz"]) > 1e-8) bad++; for (i = 2; i <= 6; i++) if (abs($i) > 1e-12) bad++ } END { exit bad || rows != 21 }'
check 'CBAT07, 4: the moment is the mean of each step, forces are none' holds cbat07-4 '
    abs($c["moment"] - $c["exact_moment"]) > 1e-8 || abs($c["t"]) > 1e-9 || abs($c["o"]) > 1e-9 { bad++ } END { exit bad || rows != 20 }'
# times from the figures: the last step that bears, the first that slips; within two steps of the exact events
event() { sed -n "s/^$1,//p" $out/cbat07-events.csv; }
near() { # TIME EVENT
    awk -v a="$1" -v b="$(event "$2")" 'BEGIN { d = a - b; exit !(b > 0 && d < 0.02 && d > -0.02) }' || { echo "$1, exact $(event "$2")"; return 1; }
}
bears() { awk -F, '$2 > 0.01 { t = $1 } END { print t }' $out/cbat07-"$1".csv; }
check 'CBAT07, 7: contact 1 opens' near "$(bears 7)" opens1
check 'CBAT07, 8: contact 2 opens' near "$(bears 8)" opens2
check 'CBAT07, 8: contact 2 slides' near "$(awk -F, 'NR > 1 && $4 > $3 - 1e-6 && $2 > 0 { print $1; exit }' $out/cbat07-8.csv)" slides
check 'CBAT07, 7 and 8: friction within its limit; slip of contacts that bear' holds cbat07-7 '
    $c["friction"] > $c["limit"] + 1e-6 || ($c["normal"] > 0) != ($c["slip"] != "") { bad++ } END { exit bad || rows != 400 }'
check 'CBAT07, 6: no velocity jumps where a contact opens' holds cbat07-6 '
    { for (i = 2; i <= 7; i++) { if (rows > 2 && abs($i - 2 * a[i] + b[i]) > 0.02) bad++; b[i] = a[i]; a[i] = $i } } END { exit bad || rows != 400 }'
check 'NST17: the relaxed law lifts by h mu |v_T|, and not what rolls; the exact law does not' holds nst17 '
    { if (abs($c["exact"]) > 1e-12 || abs($c["relaxed"] - $c["h_mu_v"]) > 1e-5) bad++; if ($c["h_mu_v"] > 1e-4) slides++ } END { exit bad || slides < 20 || rows != 61 }'
check 'TCE17: half the step, half the error of Euler, a quarter of that of the others' holds tce17 '
    { for (i = 2; i <= NF; i++) { first = i <= 4 || i == c["trapezoidal-linearised"]; r = rows > 2 ? last[i] / $i : first ? 2 : 4
        if (first ? r < 1.7 || r > 2.1 : r < 3.8 || r > 4.1) bad++; last[i] = $i } } END { exit bad || rows != 6 }'

if ! command -v gnuplot >/dev/null; then
    echo "# skipped: no gnuplot (make tools-papers)"
    finish
    exit
fi
# in the place of the polygons, which take minutes
for name in 1a 1b; do for ((i = 0; i < 6; i++)); do printf 'x,0,6.75\nx,4,6.5\n\n\n'; done >$out/cbat07-$name.csv; done
quietly() { said=$("$@" 2>&1) && [ -z "$said" ] && return; echo "$said"; return 1; }
check 'the pictures are drawn, and nothing is warned of' quietly gnuplot -e "folder='$out'" tests/figures/papers.gp
pictures() { [ "$(head -qc 4 $out/*.png | tr -cd P | wc -c)" = 11 ]; }
check 'eleven of them' pictures
finish
