# Splits are cut in order; more rows than there are is a usage error.
make-data even -n 100 --split train:80,test:rest -o a.h5 --json -q | grep -A3 "\"splits\""
make-data even -n 100 --split train:90,test:20 -o b.h5
echo $?
ls
