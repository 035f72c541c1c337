# A row with a number that a table's model does not know is an error that names its column and what
# the model knows; a number below 0 is one of these, and not a value that lacks.
set -u
printf 'age,weight\n' > t.csv
for i in $(seq 30); do printf '0,1.5\n1,2.5\n2,3.25\n1,2\n'; done >> t.csv
pack-data csv t.csv -o t.h5 -q
train-pc t.h5 -o m.h5 --hidden 2 --em-rule full --steps 4 -q > /dev/null
for age in 7 -1 0.5; do
  printf 'age,weight\n1,2\n%s,2\n2,1\n' "$age" > new.csv
  pack-data csv new.csv -o new.h5 -q --force
  elbo-eval m.h5 new.h5 -q || echo "exit $?"
done
