# Wrong words, rows and models are refused, each in its own words.
set -u
. "$CLI_TESTS/query-pc/inputs"
try() { query-pc "$@" -q > /dev/null || echo "exit $?"; }
make-data bars -n 60 -o bars.h5 -q
train-vae bars.h5 -o vae.h5 --preset tiny --steps 5 -q
try vae.h5 bars.h5
try m.h5
try m.h5 text.h5 --text ab
try m.h5 --text 'aB'
try m.h5 --text ''
try m.h5 --text 'a?b' --missing-mark '??'
try m.h5 --text ab --rows 0:1
try m.h5 --text ab --query all
try m.h5 --text ab --how mpe
try m.h5 --text a_ --query complete --how mpe -n 2
try m.h5 --text ab -o rows.h5
try m.h5 --text ab -o answer.png
try m.h5 bars.h5
ls
