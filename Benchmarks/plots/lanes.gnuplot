# Draws the channels of a wide CSV as lanes of an SVG: gnuplot -c lanes.gnuplot IN OUT CHANNELS
set terminal svg size 1200,1600 noenhanced
set output ARG2
set datafile separator comma
set key off
set tics font ",9"
set multiplot layout ARG3 + 0,1 margins 0.06,0.99,0.03,0.99 spacing 0,0.005
do for [channel = 1:ARG3 + 0] {
    set ylabel sprintf("lead %d, mV", channel - 1) font ",9"
    if (channel < ARG3 + 0) { set format x "" } else { set format x "%g s" }
    plot ARG1 using 1:channel + 1 skip 1 with lines linewidth 1
}
unset multiplot
