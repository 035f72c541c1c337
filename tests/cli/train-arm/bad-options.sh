# Options that make no sense, alone or together, or that nothing reads, are refused before any work.
make-data hub -n 20 -o hub.h5 -q
make-data gray8 -n 20 -o grey.h5 -q
try() { train-arm hub.h5 -o m.h5 --preset tiny --steps 1 -q "$@" || echo "exit $?"; }
grey() { train-arm grey.h5 -o m.h5 --preset tiny --steps 1 -q "$@" || echo "exit $?"; }
try --model any
try --model ao --policy shared
try --model ao --variational shared
try --model fixed --q-entropy 1:5
try --model ao --warmup-uniform 5
try --order raster
try --groups g.txt
try --model biased
try --q-entropy 1
try --q-entropy 1:0
try --kl-weight x:5
try --kl-weight -1:5
try --score-clip -1
try --paths 1
try --paths 17
try --model ao --paths 3
try --net unet
try --net tabular
try --hidden 0
try --channels 4
try --levels 4
try --binarise static
try --activation gelu
grey --levels 1
grey --levels 4 --binarise static
grey --levels 257
grey --multipliers 1,2,4,8,16
grey --multipliers 0
grey --hidden 5
grey --binarise-seed 3
grey --net tabular
try --preset huge
ls m.* 2> /dev/null
true
