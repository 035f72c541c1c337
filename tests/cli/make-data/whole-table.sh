# bernoulli-mix --enumerate makes all rows; another number is refused.
make-data bernoulli-mix --dim 6 --enumerate -o a.h5 -q --json | grep "\"n\":"
make-data bernoulli-mix --dim 6 --enumerate -n 10 -o b.h5
echo $?
ls
