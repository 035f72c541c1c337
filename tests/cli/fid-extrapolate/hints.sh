# What the hint of an error says works.
. "$CLI_TESTS/hints"
. "$CLI_TESTS/fid-extrapolate/inputs"
rows 77 3000 3 1 > many.csv
FILL[REAL]=real.csv FILL[FAKE]=fake.csv
follow fid-extrapolate --seed 3
follow fid-extrapolate real.csv
follow fid-extrapolate many.csv many.csv --sizes many --metrics fid --bootstrap 0
given make-data digits -n 40 --size 8 -o a.h5
given make-data digits -n 40 --size 8 -o b.h5 -s 2
follow fid-extrapolate a.h5 b.h5 --bootstrap 0
mkdir photos
for i in 0 1 2 3 4 5 6 7; do given view-samples a.h5 --rows $i:$((i + 1)) -o photos/$i.png; done
follow fid-extrapolate photos photos --bootstrap 0
