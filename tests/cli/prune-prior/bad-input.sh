# Models without a prior of energies and thresholds that make no sense are refused; nothing is written.
set -u
. "$CLI_TESTS/prune-prior/inputs"
try() { prune-prior "$@" -o p.h5 -q || echo "exit $?"; }
train-vae d.h5 -o vae.h5 --preset tiny --binarise static --steps 5 -q
try vae.h5
try k.h5 --edge-threshold=-1
try k.h5 --node-threshold nan
try k.h5 --alpha-threshold 2
try k.h5 --flat-threshold=-1
try k.h5 --samples 0
ls
