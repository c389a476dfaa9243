# SPDX-License-Identifier: MIT
# papers.gp - figures of the papers from the tables of papers.c: gnuplot -e "folder='build/figures'" papers.gp
# The legend is beside the curves, what lies on something else is smaller or thinner, and no colour is pale.
set datafile separator ','
set terminal pngcairo size 1000,520 font 'sans,11'
set grid back lt 1 lc rgb '#e4e4e4' lw 0.5
set key outside right top Left reverse samplen 2
set rmargin 32
set lmargin 11
set xlabel 'time (s)'
array colour[6] = ['#0072b2', '#d55e00', '#007a52', '#aa3377', '#8a5a00', '#2ca6d8']
grey = '#888888'

# ------------------------------------------------------------------------------------------------------------------ T03

set output folder . '/t03-8.png'
set title "T03, figure 8: velocities of the sphere, h = 0.12 s"
set ylabel 'velocity (m/s, rad/s)'
set xrange [0:0.62]
set yrange [0:2.2]
plot folder . '/t03-8.csv' using 'exact_time':'exact_vx' with lines lw 1.5 lc rgb grey title 'exact', \
     '' using 'exact_time':'exact_wy' with lines lw 1.5 lc rgb grey notitle, \
     '' using 'time':'vx' with points pt 7 ps 1 lc rgb colour[1] title 'v_x', \
     '' using 'time':'wy' with points pt 4 ps 1.8 lw 1.5 lc rgb colour[2] title '{/Symbol w}_y'

# A step knows one force, the mean over its length: the bar is what it should be, and the point is in its middle.
set output folder . '/t03-9.png'
set title "T03, figure 9: friction along axes at 45 degrees, mean of each step of 0.12 s"
set ylabel 'force (N)'
set yrange [-2:2]
h = 0.12
plot folder . '/t03-9.csv' using ($1 - h):(column('mean_ct')):(h):(0) with vectors nohead lw 7 lc rgb '#c8d8e8' title 'exact mean of the step', \
     '' using ($1 - h):(column('mean_co')):(h):(0) with vectors nohead lw 7 lc rgb '#c8d8e8' notitle, \
     '' using 'exact_time':'exact_ct' with lines lw 1 lc rgb grey title 'exact, at each time', \
     '' using 'exact_time':'exact_co' with lines lw 1 lc rgb grey notitle, \
     '' using ($1 - h / 2):'ct' with points pt 7 ps 1 lc rgb colour[1] title 'c_t', \
     '' using ($1 - h / 2):'co' with points pt 4 ps 1.8 lw 1.5 lc rgb colour[2] title 'c_o'

# --------------------------------------------------------------------------------------------------------------- CBAT07

# the first ones name their curves in the first column, two blank lines apart
set xrange [0:4]
set yrange [0:7]
set ylabel 'kinetic energy (J)'
set output folder . '/cbat07-1a.png'
set title "CBAT07, figure 1a: a disc rolls, polygons lose energy, h = 0.01 s"
plot folder . '/cbat07-1a.csv' index 0 using 2:3 with lines lw 2.5 lc rgb '#222222' title 'disc', \
     for [i=1:5] '' index i using 2:3 with lines lw 1.5 lc rgb colour[i] title word("20 50 100 200 300", i) . ' corners'

set yrange [6.2:6.9]
set output folder . '/cbat07-1b.png'
set title "CBAT07, figure 1b: a polygon of 1000 corners, by the step h"
plot folder . '/cbat07-1b.csv' index 0 using 2:3 with lines lw 2.5 lc rgb '#222222' title 'disc, h = 0.01 s', \
     for [i=1:5] '' index i using 2:3 with lines lw 1.5 lc rgb colour[i] title 'h = ' . word("0.01 0.005 0.001 0.0005 0.0001", i) . ' s'

set xrange [0:1.45]
set yrange [-0.2:2.2]
set ylabel 'velocity (m/s, rad/s)'
set output folder . '/cbat07-3.png'
set title "CBAT07, figure 3: a sphere that spins, h = 0.07 s"
most(a, b) = a > b ? a : b
others = 'most(most(abs(column("vx")), abs(column("vy"))), most(abs(column("vz")), most(abs(column("wx")), abs(column("wy")))))'
plot folder . '/cbat07-3.csv' using 'time':'exact_wz' with lines lw 1.5 lc rgb grey title 'exact {/Symbol w}_z', \
     '' using 'time':'wz' with points pt 7 ps 0.9 lc rgb colour[1] title '{/Symbol w}_z', \
     '' using 'time':(@others) with points pt 4 ps 1.5 lw 1.5 lc rgb colour[2] title 'largest of the others'

set yrange [-1:0.4]
set ylabel 'force (N), moment (N m)'
set output folder . '/cbat07-4.png'
set title "CBAT07, figure 4: friction and its moment, means of the steps"
plot folder . '/cbat07-4.csv' using 'time':'exact_moment' with points pt 6 ps 2 lw 1.5 lc rgb grey title 'exact moment, its mean', \
     '' using 'time':'moment' with points pt 7 ps 0.8 lc rgb colour[1] title 'moment', \
     '' using 'time':'t' with points pt 4 ps 1.7 lw 1.5 lc rgb colour[2] title 'along t', \
     '' using 'time':'o' with points pt 2 ps 0.8 lc rgb colour[3] title 'along o'

# When contacts slide and open, by equations of motion: a line, with the time at its top.
event(name) = system(sprintf("sed -n 's/^%s,//p' '%s/cbat07-events.csv'", name, folder)) + 0
array when[3] = [event('slides'), event('opens1'), event('opens2')]
array what[3] = ['2 slides', '1 opens', '2 opens']
mark(i) = sprintf('%s %.3f s', what[i], when[i])
do for [i=1:3] {
    set arrow i from first when[i], graph 0 to first when[i], graph 1 nohead back lw 1 dt 2 lc rgb grey
    set label i mark(i) at first when[i], graph 1.02 left rotate by 30 font 'sans,9' tc rgb '#444444'
}

set xrange [0:4]
set yrange [*:*]
set ylabel 'velocity (m/s, rad/s)'
set output folder . '/cbat07-6.png'
set title "CBAT07, figure 6: a ball on two spheres, h = 0.01 s" offset 0,3
set tmargin 7
plot for [i=1:3] folder . '/cbat07-6.csv' using 1:(column(i + 1)) with lines lw 1.5 lc rgb colour[i] title 'v_' . word("x y z", i), \
     for [i=1:3] '' using 1:(column(i + 4)) with lines lw 1.5 dt 2 lc rgb colour[i] title '{/Symbol w}_' . word("x y z", i)

# What acts in a step is of its end (4). Friction at its limit lies on the limit, so that is wider and paler.
unset xlabel
do for [i=1:2] {
    data = folder . sprintf('/cbat07-%d.csv', 6 + i)
    set terminal pngcairo size 1000,800 font 'sans,11'
    set output folder . sprintf('/cbat07-%d.png', 6 + i)
    set multiplot layout 2,1 title sprintf("CBAT07, figure %d: forces and slip at contact %d", 6 + i, i)
    unset title
    set tmargin 5
    set ylabel 'force (N)'
    set yrange [0:*]
    plot data using 'time':'normal' with lines lw 1.5 lc rgb colour[3] title 'normal', \
         data using 'time':'limit' with lines lw 6 lc rgb '#a9c9e6' title '{/Symbol m} normal', \
         data using 'time':'friction' with lines lw 1.5 lc rgb colour[2] title 'friction'
    set tmargin 1
    set xlabel 'time (s)'
    set ylabel 'slip (m/s)'
    unset label
    plot data using 'time':'slip' with lines lw 1.5 lc rgb colour[1] title 'slip while it bears'
    unset multiplot
    unset xlabel
    do for [k=1:3] { set label k mark(k) at first when[k], graph 1.02 left rotate by 30 font 'sans,9' tc rgb '#444444' }
}
unset arrow
unset label
unset tmargin
set title offset 0,0
set terminal pngcairo size 1000,520 font 'sans,11'
set xlabel 'time (s)'

# --------------------------------------------------------------------------------------------------------- NST17, TCE17

set output folder . '/nst17.png'
set title "NST17, section 3: a sphere that slides, then rolls; the relaxed law lifts it while it slides, h = 0.01 s"
set xrange [0:0.62]
set yrange [-0.5:4.5]
set ylabel 'gap (mm)'
plot folder . '/nst17.csv' using 'time':(1e3*column('h_mu_v')) with lines lw 6 lc rgb '#a9c9e6' title 'h {/Symbol m} v_T', \
     '' using 'time':(1e3*column('relaxed')) with points pt 7 ps 0.7 lc rgb colour[1] title 'relaxed law, (11)', \
     '' using 'time':(1e3*column('exact')) with points pt 4 ps 0.9 lc rgb colour[2] title "Coulomb's law, (7)"

set output folder . '/tce17.png'
set title "TCE17, section 9: a pendulum that falls from the level, half a second"
set logscale xy
set xrange [8e-4:0.04]
set yrange [1e-7:0.1]
set format y '10^{%T}'
set xlabel 'step h (s)'
set ylabel 'worst error of the centre of mass (m)'
array shape[8] = [7, 4, 2, 7, 7, 6, 4, 2]
array size[8] = [0.8, 1.4, 1, 0.8, 0.8, 1.8, 1.4, 1]
plot for [i=2:9] folder . '/tce17.csv' using 1:i with linespoints lw 1.2 pt shape[i - 1] ps size[i - 1] lc rgb colour[(i - 2) % 6 + 1] \
         title columnheader(i), \
     0.5 * x with lines lw 1.5 dt 2 lc rgb '#222222' title 'order 1', 2 * x * x with lines lw 1.5 dt 4 lc rgb '#222222' title 'order 2'
