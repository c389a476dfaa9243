# SPDX-License-Identifier: MIT
# demo.gp - the picture of the demo: gnuplot -e "folder='build/demo'; recording=''; toss=0" demo.gp
# `recording` is a file of measured tosses, of which `toss` is drawn, or empty.
prediction = folder . '/prediction.csv'

set datafile separator ','
set terminal pngcairo size 900,1000 font 'sans,11'
set output folder . '/demo.png'
set grid lc rgb '#dddddd'
set key top right
set lmargin 12
set multiplot layout 4,1 title "A tossed cube, predicted on a Cortex-M4F at 1 kHz"

set ylabel 'height (mm)'
if (strlen(recording) > 0) {
    plot prediction using 'time':(1e3*column('body/1/pos/z')) with lines lw 2 title 'firmware', \
         recording using (column('toss') == toss ? column('time') : NaN):(1e3*column('z')) \
             with points pt 6 ps 0.6 title 'measured'
} else {
    plot prediction using 'time':(1e3*column('body/1/pos/z')) with lines lw 2 title 'firmware'
}

set ylabel 'tilt (degree)'
plot prediction using 'time':'cube/tilt_degrees' with lines lw 2 notitle

set ylabel 'impulse (mN s)'
plot prediction using 'time':(1e3*column('contact/impulse')) with impulses notitle

set ylabel 'instructions'
set xlabel 'time (s)'
plot prediction using 'time':'firmware/instructions' with steps notitle
