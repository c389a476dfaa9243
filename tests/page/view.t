#!/bin/bash
# SPDX-License-Identifier: MIT
# view.t - tactus view: pictures and films of runs; what it says where Chromium, ffmpeg or the page is missing.
#   given   Chromium, ffmpeg, the page and the host tool (make tools-page, make page)
#   makes   TAP
#   bound   half a minute of processor time
#   never   asks for anything but files of build/
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
need 'no Chromium or ffmpeg: make tools-page' eval 'command -v chromium && command -v ffprobe'
need 'npm has brought nothing: make tools-page' [ -d build/npm/page/node_modules/@mcap ]
out=build/tests/view
rm -rf $out
mkdir -p $out/bin
MAKEFLAGS='' make -s page build/host/gcc-O2-64/tactus
tool=build/host/gcc-O2-64/tactus

# FILE ENTRY...: entries of the first stream are so.
is() {
    local said
    said=$(ffprobe -v error -select_streams v:0 -count_packets -show_entries stream=codec_name,width,height,nb_read_packets -of default=nw=1 "$1")
    for entry in "${@:2}"; do grep -qx "$entry" <<<"$said" || { echo "$said"; return 1; }; done
}

# The part of a picture where green is far above red and blue: arrows of forces.
green() {
    ffmpeg -v error -i "$1" -f rawvideo -pix_fmt rgb24 - | od -An -v -tu1 -w3 |
        awk '$2 > 1.6 * $1 && $2 > 1.3 * $3 { n++ } END { print n / NR; exit !(n > 0.0005 * NR) }'
}

$tool run trot --steps 400 --every 4 --log $out/trot.mcap >$out/log
$tool run cube_toss --steps 1200 --every 10 --log $out/toss.csv >$out/log
check 'a film of a log, and its page' $tool view $out/trot.mcap --mp4 $out/trot.mp4 --html $out/trot.html --size 321x180 --fps 10 --from 0.2
check 'is H.264 of that size, from then to its end' is $out/trot.mp4 codec_name=h264 width=322 height=180 nb_read_packets=3
check 'the page has the log in it' grep -q '"log": "iU1DQVAwDQo' $out/trot.html
check 'a picture of a table' $tool view $out/toss.csv --of cube_toss --png $out/toss.png --size 320x240
check 'has that size' is $out/toss.png codec_name=png width=320 height=240
check 'and shows the forces of its columns' green $out/toss.png
check 'a picture of a model, which the page steps' $tool view targets/guide/leg.urdf --png $out/leg.png --size 320x240 --to 0.1 -- --z 0.3
check 'has that size too' is $out/leg.png width=320 height=240
check 'a table without its scene fits another one not' gives 1 'the model that is shown has' $tool view $out/toss.csv --png $out/no.png
check 'no such scene' gives 1 'nowhere: no such scene' $tool view nowhere --png $out/no.png
for scene in trot gripper wall; do check "a picture of $scene" $tool view $scene --png $out/$scene.png --size 64x64 --to 0.02; done
check 'nothing asked for' gives 2 'one is needed' $tool view trot
check 'a size that is none' gives 1 'not WIDTHxHEIGHT' $tool view trot --png $out/no.png --size 10
check 'an end before the beginning' gives 1 'before 2 s' $tool view $out/trot.mcap --mp4 $out/no.mp4 --from 2 --size 64x64

# Only python3 and bash are found.
ln -s "$(python3 -c 'import sys; print(sys.executable)')" $out/bin/python3
ln -s "$(command -v bash)" $out/bin
check 'no Chromium: how to get it' gives 1 'apt-get install chromium' env PATH=$PWD/$out/bin $tool view trot --png $out/no.png
ln -s "$(command -v chromium)" $out/bin
check 'no ffmpeg: how to get it' gives 1 'apt-get install ffmpeg' env PATH=$PWD/$out/bin $tool view trot --mp4 $out/no.mp4
check 'the tool alone: where its parts are' gives 1 'set TACTUS_CONVERT' env TACTUS_CONVERT=/ $tool view trot --png $out/no.png
finish
