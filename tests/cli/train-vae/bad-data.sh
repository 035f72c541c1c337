# Data that the model cannot take: what, where, and what would help.
try() { train-vae "$@" -o m.h5 --preset tiny -q || echo "exit $?"; }
make-data digits -n 60 --size 14 -o digits.h5 -q
echo "gray levels under bernoulli" && try digits.h5 --likelihood bernoulli
echo "their odd sizes under convolutions" && try digits.h5 --encoder conv --binarise static
echo "an empty split" && make-data bars -n 10 --split train:0,valid:10 -o empty.h5 -q && try empty.h5
echo "no such split" && try digits.h5:nowhere
printf 'x,y\n0.25,1.5\n' > real.csv && pack-data csv real.csv -o real.h5 -q
echo "values outside of the support" && try real.h5 --allow-gray
echo "real numbers under levels" && try real.h5 --likelihood beta-binomial
echo "vectors under convolutions" && try real.h5 --likelihood gaussian --encoder conv
printf 'x,y\n,1.5\n2,1.5\n' > holes.csv && pack-data csv holes.csv --missing keep -o holes.h5 -q
echo "missing values" && try holes.h5 --likelihood gaussian
echo "validation rows of another shape" && try digits.h5 --binarise static --valid real.h5
ls m.* 2> /dev/null
true
