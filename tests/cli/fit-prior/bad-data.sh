# Data that the model cannot take: what, where, and what would help; nothing is written.
try() { rm -f m.*; fit-prior "$@" -o m.h5 --preset tiny --steps 2 -q || echo "exit $?"; ls m.* 2> /dev/null; }
make-data digits -n 60 --size 8 -o digits.h5 -q
make-data bars -n 60 -o bars.h5 -q
printf 'x,y\n0.25,1.5\n0.75,2\n0,0.5\n' > real.csv && pack-data csv real.csv -o real.h5 -q
echo "grey levels under bernoulli" && try digits.h5 --likelihood bernoulli
echo "an empty split" && make-data bars -n 10 --split train:0,valid:10 -o empty.h5 -q && try empty.h5
echo "no such split" && try digits.h5:nowhere
echo "real numbers under levels" && try real.h5 --likelihood beta-binomial --batch 4 --valid 0
echo "vectors under convolutions" && try real.h5 --generator cnn --batch 4 --valid 0
echo "pictures that the convolutions do not make" && try digits.h5 --generator cnn --strides 1,1
printf 'x,y\n,1.5\n' > holes.csv && pack-data csv holes.csv --missing keep -o holes.h5 -q
echo "missing values" && try holes.h5 --batch 2 --valid 0
echo "validation rows of another shape" && try digits.h5 --valid bars.h5
echo "no file" && try nothing.h5
head -c 3000 digits.h5 > half.h5
echo "half a file" && try half.h5
echo "rows without a probability" && try real.h5 --obs-std 1e-160 --mean-activation sigmoid --batch 4 --valid 0
true
