# Options that make no sense, alone or together, or that nothing reads, are refused before any work.
make-data gray8 -n 20 -o grey.h5 -q
make-data gauss -n 20 --dim 2 -o reals.h5 -q
try() { train-vdm grey.h5 -o m.h5 --preset tiny --steps 1 -q "$@" || echo "exit $?"; }
reals() { train-vdm reals.h5 -o m.h5 --preset tiny --steps 1 -q "$@" || echo "exit $?"; }
try --schedule cosine
try --schedule table
try --gamma-min 5
try --gamma-max 1e9
try --raw-endpoints
try --schedule beta-linear --raw-endpoints --learn-endpoints
try --schedule beta-linear --raw-endpoints --gamma-min -5
try --schedule linear --gamma-floor -20
try --gamma-floor -10
try --schedule-hidden 5
try --schedule linear --gamma-lr-mult 5
try --schedule linear --endpoint-grad boundary
try --endpoint-grad boundary --timesteps 10
try --timesteps -1
try --timesteps 1e9
try --timesteps ten
try --channels 1099511627776
try --embedding 3
try --multipliers 1,2,4,8,16
try --multipliers 0
try --width 5
try --net mlp --channels 5
try --net linear-gauss --fourier none
try --fourier 99
try --fourier sin
try --labels
try --label-drop 0.5
try --weight simplest
try --weight snr-clip:-1
try --augment turn
try --augment channels
try --aug-flag
try --binarise sometimes
try --binarise-seed 3
try --no-standardise
reals --net unet
reals --learn-endpoints
reals --augment flip
reals --binarise static
try --preset huge
ls m.* 2> /dev/null
true
