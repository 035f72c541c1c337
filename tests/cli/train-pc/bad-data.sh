# Data that a circuit cannot take: what, where, and what would help.
try() { train-pc "$@" -o m.h5 --preset tiny -q || echo "exit $?"; }
echo "an empty split" && make-data hmm-text -n 10 --split train:0,valid:10 -o empty.h5 -q && try empty.h5
echo "bits that are no grey" && make-data bars -n 20 -o bars.h5 -q && try bars.h5 --binarise static
make-data hmm-text -n 20 --length 12 -o text.h5 -q
make-data hmm-text -n 20 --length 12 --alphabet 5 -o five.h5 -q
echo "validation rows of other symbols" && try text.h5 --valid five.h5
train-pc text.h5 -o m.h5 --preset tiny -q
echo "a model of other symbols" && { elbo-eval m.h5 five.h5 > report.json || echo "exit $?"; }
rm m.h5
ls m.h5 2> /dev/null
true
