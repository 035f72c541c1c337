# Data that a diffusion model cannot take: what, where, and what would help.
try() { train-vdm "$@" -o m.h5 --preset tiny --steps 2 -q || echo "exit $?"; }
make-data gray8 -n 10 --split train:0,valid:10 -o empty.h5 -q && try empty.h5
printf 'a,b\n1,2\n1,3\n1,5\n' > same.csv && pack-data csv same.csv -o same.h5 -q && try same.h5
printf 'a,b\n1.5,2\n1.5,3\n1.5,5\n' > flat.csv && pack-data csv flat.csv -o flat.h5 -q && try flat.h5
printf 'a,b\n1,2\n,3\n1,5\n' > holes.csv && pack-data csv holes.csv --missing keep -o holes.h5 -q && try holes.h5
printf 'n,word\n1,x\n2,y\n3,z\n' > words.csv && pack-data csv words.csv --categorical word -o words.h5 -q && try words.h5
make-data gray8 -n 20 -o grey.h5 -q
make-data digits -n 20 --size 8 -o digits.h5 -q
try grey.h5 --valid digits.h5 --labels
try digits.h5 --valid grey.h5 --labels
ls m.* 2> /dev/null
true
