# Data that a model of orders cannot take: what, where, and what would help.
try() { train-arm "$@" -o m.h5 --preset tiny --steps 2 -q || echo "exit $?"; }
make-data hub -n 10 --split train:0,valid:10 -o empty.h5 -q && try empty.h5
make-data gauss -n 20 --dim 2 -o reals.h5 -q && try reals.h5
printf 'a,b\n1,2\n,3\n1,5\n' > holes.csv && pack-data csv holes.csv --missing keep -o holes.h5 -q && try holes.h5
printf 'n\n1\n1\n1\n' > same.csv && pack-data csv same.csv -o same.h5 -q && try same.h5
make-data hub -n 20 -o hub.h5 -q
make-data parity -n 20 -o bits.h5 -q
try hub.h5 --valid bits.h5
echo '0 1 2 3 4 5 6' > short.txt
echo '0 1 2 3 4 5 6 6' > twice.txt
echo '0 1 2 3 four' > words.txt
for file in short twice words none; do try hub.h5 --model fixed --order $file.txt; done
head -c 300 hub.h5 > binary.txt
for file in short words none binary; do try hub.h5 --model biased --groups $file.txt; done
ls m.* 2> /dev/null
true
