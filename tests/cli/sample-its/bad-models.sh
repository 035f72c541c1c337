# Models and tables exclude each other; what only one of them has is refused with the other; a model without a prior is named.
set -u
. "$CLI_TESTS/explain-prior/inputs"
printf '0,1\n1,1\n' > t.csv
printf '0.5\n0.5\n' > u.csv
try() { sample-its -o z.csv -q "$@" || echo "exit $?"; }
try
try k.h5 --density t.csv
try k.h5 --histogram
try --density t.csv --components
try --density t.csv --decode
try k.h5 --decode
try k.h5 --add-noise 0.1
try k.h5 --components -o z.h5
try k.h5 --decode --add-noise=-1 -o z.h5
try k.h5 --qmc sobol --u-file u.csv
try k.h5 --u-file u.csv
try d.h5
try nothing.h5
head -c 3000 k.h5 > cut.h5
try cut.h5
train-vae d.h5 -o vae.h5 --preset tiny --binarise static --steps 5 -q
try vae.h5
! ls z.* 2> /dev/null
