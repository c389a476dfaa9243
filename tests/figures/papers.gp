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
