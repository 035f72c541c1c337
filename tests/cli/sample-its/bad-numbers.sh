# Numbers of another shape or outside of [0,1] are data errors; options that contradict are usage errors.
printf '0,1\n1,1\n' > d.csv
try() {
  sample-its --density d.csv -o x.csv "$@"
  echo "$?$(ls x.csv 2> /dev/null)"
}
printf 'u\n0.5\n1.25\n' > u.csv
try --u-file u.csv
printf '0.5\n-0.1\n' > u.csv
try --u-file u.csv
printf '0.5\nnan\n' > u.csv
try --u-file u.csv
printf '0.5,0.5\n' > u.csv
try --u-file u.csv
printf '0.5\n0.75\n' > u.csv
try --u-file u.csv -n 3
try --u-file u.csv --qmc sobol
try --u-file u.csv --rows 1:3
make-data bars -n 60 -o bars.h5 -q
try --u-file bars.h5
try --u-file nowhere.npy
try -n 10 --rows 5:5
try -n 5e9 --qmc lhs
try -n 0
try --its accurate
try --nquad 3
try --histogram --log
try --histogram --interpolate linear
try --density d.csv model.h5
sample-its -n 5 -o x.csv
echo $?
