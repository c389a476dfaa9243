# SPDX-License-Identifier: MIT
# papers.gp - figures of the papers from the tables of papers.c: gnuplot -e "folder='build/figures'" papers.gp
set datafile separator ','
set terminal pngcairo size 800,560 font 'sans,11'
set grid lc rgb '#dddddd'
set xlabel 'time (s)'
set xrange [0:0.6]

set output folder . '/t03-8.png'
set title "T03, figure 8: velocities of the sphere, h = 0.12 s"
set ylabel 'velocity (m/s, rad/s)'
set yrange [0:2.2]
plot folder . '/t03-8.csv' using 'exact_time':'exact_vx' with lines dt 3 lc rgb '#888888' title 'exact', \
     '' using 'exact_time':'exact_wy' with lines dt 3 lc rgb '#888888' notitle, \
     '' using 'time':'vx' with points pt 7 lc rgb '#1b3f6b' title 'v_x', \
     '' using 'time':'wy' with points pt 5 lc rgb '#e8590c' title '{/Symbol w}_y'

set output folder . '/t03-9.png'
set title "T03, figure 9: friction along axes at 45 degrees, mean of each step of 0.12 s"
set ylabel 'force (N)'
set yrange [-2:2]
plot folder . '/t03-9.csv' using 'exact_time':'exact_ct' with lines dt 3 lc rgb '#888888' title 'exact', \
     '' using 'exact_time':'exact_co' with lines dt 3 lc rgb '#888888' notitle, \
     '' using ($1 > 0 ? $1 : NaN):'ct' with points pt 7 lc rgb '#1b3f6b' title 'c_t', \
     '' using ($1 > 0 ? $1 : NaN):'co' with points pt 5 lc rgb '#e8590c' title 'c_o'

# the first ones name their curves in the first column, two blank lines apart
set autoscale
set key top right
set xrange [0:4]
set yrange [0:8.5]
set ylabel 'kinetic energy (J)'
set output folder . '/cbat07-1a.png'
set title "CBAT07, figure 1a: a disc rolls, polygons lose energy, h = 0.01 s"
plot for [i=0:5] folder . '/cbat07-1a.csv' index i using 2:3 with lines lw (i == 0 ? 2 : 1) title word("disc 20 50 100 200 300", i + 1)

set output folder . '/cbat07-1b.png'
set title "CBAT07, figure 1b: a polygon of 1000 corners, by the step h (s)"
plot for [i=0:5] folder . '/cbat07-1b.csv' index i using 2:3 with lines lw (i == 0 ? 2 : 1) title word("disc 0.01 0.005 0.001 0.0005 0.0001", i + 1)

set xrange [0:1.4]
set yrange [-0.2:2.2]
set ylabel 'velocity (m/s, rad/s)'
set output folder . '/cbat07-3.png'
set title "CBAT07, figure 3: a sphere that spins, h = 0.07 s"
plot folder . '/cbat07-3.csv' using 'time':'exact_wz' with lines dt 3 lc rgb '#888888' title 'exact', \
     '' using 'time':'wz' with points pt 7 lc rgb '#1b3f6b' title '{/Symbol w}_z', \
     '' using 'time':'wx' with lines title 'all others', '' using 'time':'wy' with lines notitle, \
     '' using 'time':'vx' with lines notitle, '' using 'time':'vy' with lines notitle, '' using 'time':'vz' with lines notitle

set yrange [-1:0.4]
set ylabel 'force (N), moment (N m)'
set output folder . '/cbat07-4.png'
set title "CBAT07, figure 4: friction and its moment, means of the steps"
plot folder . '/cbat07-4.csv' using 'time':'exact_moment' with points pt 6 ps 2 lc rgb '#888888' title 'exact moment, mean of the step', \
     '' using 'time':'moment' with points pt 7 lc rgb '#1b3f6b' title 'moment', \
     '' using 'time':'t' with lines title 'along t', '' using 'time':'o' with lines title 'along o'

set xrange [0:4]
set yrange [*:*]
set key top left
set ylabel 'velocity (m/s, rad/s)'
set output folder . '/cbat07-6.png'
set title "CBAT07, figure 6: a ball on two spheres, h = 0.01 s"
plot for [name in "vx vy vz wx wy wz"] folder . '/cbat07-6.csv' using 'time':name with lines title name

set key top right
set ylabel 'force (N), slip (m/s)'
do for [i=1:2] {
    set output folder . sprintf('/cbat07-%d.png', 6 + i)
    set title sprintf("CBAT07, figure %d: contact %d", 6 + i, i)
    plot for [name in "limit friction slip"] folder . sprintf('/cbat07-%d.csv', 6 + i) using 'time':name with lines title name, \
         '' using 'time':(0.1 * column('normal')) with lines dt 3 title 'normal / 10'
}
