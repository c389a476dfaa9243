#!/bin/bash
# SPDX-License-Identifier: MIT
# plot.t - does tactus plot draw the columns that it is asked for?   prove tests/tool/plot.t
#   given   the tool in double (make tactus); gnuplot for the pictures themselves
#   makes   TAP
#   bound   a few seconds
#   never   compares pixels: what gnuplot is told to draw is read by a program in its place
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
out=$PWD/build/tests/plot
tool=build/host/gcc-O2-64/tactus
mkdir -p "$out/bin"
rm -f "$out"/*.{png,svg,pdf}

# in the place of gnuplot: what it is told
printf '#!/bin/sh\ncat >%s/script\n' "$out" >"$out/bin/gnuplot"
chmod +x "$out/bin/gnuplot"
told() { PATH=$out/bin:$PATH $tool plot "$@"; }

# FILE TEXT...: all of these are in the file.
holds() {
    for text in "${@:2}"; do grep -qF -- "$text" "$1" || { echo "no '$text' in:"; head -40 "$1"; return 1; }; done
}
# PANEL ROW: numbers that gnuplot gets
row() { awk -v panel="\$panel$1" -v row="$2" '$1 == panel { at = NR } at && NR == at + row { print; exit }' "$out/script"; }
is() { [ "$1" = "$2" ] || { echo "'$1' is not '$2'"; return 1; }; }

$tool run stand --steps 20 --csv "$out/run.csv" >/dev/null
told "$out/run.csv" --out "$out/it's.png"
check 'a run: energy, contacts, joints, residual' holds "$out/script" "'energy (J)'" "'contacts: force (N)'" "'joints: position" "'residual (m/s)'" \
    "set output '$out/it''s.png'" 'set key outside' 'set multiplot layout 4,1'
check 'twelve joints' is "$(row 2 3 | wc -w)" 13
check 'the first row has no results' is "$(row 0 1)" '0 NaN NaN'
# awk's numbers are those of the table
last() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } END { printf "%.9g", $at }' "$out/run.csv"; }
check 'the numbers of the table' is "$(row 0 21)" "0.02 $(last report/kinetic) $(last report/potential)"
told "$out/run.csv" --columns 'body/*/pos/z,joint/11/position[rad]'
check 'columns by patterns' holds "$out/script" 'set terminal dumb' "'body/*/pos/z'" "title '13'" 'set multiplot layout 2,1'
check 'of the right body' is "$(row 0 21 | cut -d' ' -f3)" "$(last body/2/pos/z)"
check 'and of the right joint' is "$(row 1 21)" "0.02 $(last 'joint/11/position[rad]')"

# forces of contacts as vectors, of contacts that come and go
cat >"$out/forces.csv" <<END
time,contact/0/force/x[N],contact/0/force/y[N],contact/0/force/z[N],contact/1/force/x[N],contact/1/force/y[N],contact/1/force/z[N],contact/impulse
0,,,,,,,0
0.1,1,2,2,,,,1
0.2,0,3,4,2,3,6,1
END
told "$out/forces.csv"
check 'forces of contacts' is "$(row 0 2), $(row 0 3)" '0.1 3 NaN, 0.2 5 7'
check 'and no other panel' is "$(grep -c '^plot ' "$out/script")" 1

# residuals of methods
printf 'fc3d 1\n# a ball\n1 1\n0.1 -1 3 0\n0 0 0.5 0 0 0 1.75 0 0 0 1.75\n' >"$out/slide.fc3d"
$tool solve "$out/slide.fc3d" --curve --sweeps 40 >"$out/curve.csv"
told "$out/curve.csv"
check 'a curve of each method' holds "$out/script" 'set logscale x' 'set logscale y' "title 'jacobi'" "title 'direct'" 'passes over the matrix'
check 'seven of them' is "$(row 0 1 | wc -w)" 8

check 'no file' gives 1 'No such file' $tool plot "$out/nothing.csv"
check 'no table of a run' gives 1 'neither time nor passes' $tool plot "$out/slide.fc3d"
printf 'time,a\n0,1\n1\n' >"$out/ragged.csv"
printf 'time,a\n0,1\n1,x\n' >"$out/words.csv"
printf 'time,a\n0,1\n' >"$out/short.csv"
check 'a row that is not whole' gives 1 'ragged.csv:3: 1 fields, the header has 2' $tool plot "$out/ragged.csv"
check 'not a number' gives 1 "'x' in column 'a' is not a number" $tool plot "$out/words.csv"
check 'nothing of a run' gives 1 'nothing to draw' $tool plot "$out/short.csv"
check 'no such column' gives 1 "no column is 'b'" $tool plot "$out/short.csv" --columns a,b
check 'no such format' gives 2 '.png, .svg or .pdf' $tool plot "$out/short.csv" --out a.jpg
check 'no gnuplot' gives 1 'skipped, gnuplot is not there' env PATH="$out" "$PWD/$tool" plot "$out/run.csv"

if ! command -v gnuplot >/dev/null; then
    echo "# skipped: no gnuplot (make tools-papers)"
    finish
    exit
fi
# gnuplot says nothing: it warns of what it cannot draw
quietly() {
    local said
    said=$("$@" 2>&1 >"$out/shown") && [ -z "$said" ] && return
    echo "$said"
    return 1
}
magic() { [ "$(head -c "$2" "$1" | tail -c 3)" = "$3" ]; }
for name in run forces curve; do
    check "$name: drawn as PNG" quietly $tool plot "$out/$name.csv" --out "$out/$name.png"
    check "$name: it is one" magic "$out/$name.png" 4 PNG
done
check 'no such folder' gives 1 'No such file' $tool plot "$out/run.csv" --out "$out/none/run.png"
check 'one point' quietly $tool plot "$out/short.csv" --columns a
check 'SVG' quietly $tool plot "$out/run.csv" --out "$out/run.svg"
check 'SVG with its words' holds "$out/run.svg" 'energy (J)' kinetic
check 'PDF' quietly $tool plot "$out/run.csv" --out "$out/run.pdf"
check 'it is one' magic "$out/run.pdf" 4 PDF
check 'characters' quietly $tool plot "$out/run.csv"
check 'with their words' holds "$out/shown" 'energy (J)' kinetic
finish
