# Splits by shares of all rows, here and in make-data; a class that a split lacks is a warning.
set -u
printf 'x,kind\n1,a\n2,b\n3,a\n4,b\n5,c\n' > t.csv
splits() { sed -n '/"splits"/,/}/p' | tr -d ' \n' && echo; }
pack-data csv t.csv --label-column kind --split train:60%,test:rest -o t.h5 --json -q | splits
pack-data csv t.csv --label-column kind --split train:60%,test:50% -o no.h5
echo "exit $?"
make-data digits -n 20 --size 8 --split train:75%,test:rest -o d.h5 --json -q 2> warnings | splits
grep -c '^make-data: warning: split test has no row of class' warnings
pack-data text t.csv --alphabet bytes --split-chars train:50% -o no.h5
echo "exit $?"
