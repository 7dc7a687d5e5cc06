# The style of every figure: saltus reproduce, saltus run --plot and the like begin with
# this text. Colours differ for readers who see fewer of them, and in grey; from the
# ninth curve on they return with dashes.
set encoding utf8
set termoption noenhanced
array colour[8] = ['#00629b', '#d1470c', '#000000', '#2a9d74', '#8a1538', '#e3b505', \
                   '#2b1d8a', '#e78ac3']
array dashes[4] = [1, 2, 4, 5]
do for [k = 1:32] {
    set linetype k lc rgb colour[(k - 1)%8 + 1] dt dashes[(k - 1)/8 + 1] lw 1.4 \
        pt 4 + (k - 1)%8 ps 0.5
}
set linetype cycle 32
# Lines that explain and are no data: zero, an event, a bound.
set style line 100 lc rgb '#9a9a9a' lw 0.8 dt 3
set style line 101 lc rgb '#e2e2e2' lw 0.6 dt 1
set border 3 lc rgb '#505050' lw 0.8
set tics nomirror scale 0.6
set grid ls 101
# The legend stands above the axes, where no curve is.
set key outside top center horizontal Left reverse samplen 2.2 noenhanced
set xlabel offset 0, 0.3
