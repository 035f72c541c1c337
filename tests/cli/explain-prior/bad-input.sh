# Models without a prior of energies, numbers that a prior lacks and folders that are not there are refused.
set -u
. "$CLI_TESTS/explain-prior/inputs"
try() { explain-prior "$@" -q > /dev/null || echo "exit $?"; }
train-vae d.h5 -o vae.h5 --preset tiny --binarise static --steps 5 -q
try vae.h5
try k.h5 --p 2
try k.h5 --q=-1
try k.h5 --q one
try k.h5 --simplicity 2
try k.h5 --min-r2=-1
try k.h5 --weight none
try k.h5 --q 0 --p 0 --csv nowhere
try k.h5 --q 0 --p 0 --apply k.h5
ls
