# A row with a number that the tree of a table does not know is an error that names its column and
# what the model knows; a number below 0 is one of these, and not a value that lacks. What train-pc
# makes without an option has a probability for it, unless --unknown error was said.
set -u
printf 'age,weight\n' > t.csv
for i in $(seq 30); do printf '0,1.5\n1,2.5\n2,3.25\n1,2\n'; done >> t.csv
pack-data csv t.csv -o t.h5 -q
train-pc t.h5 -o m.h5 --structure hclt --hidden 2 --em-rule full --steps 4 -q > /dev/null
train-pc t.h5 -o usual.h5 --preset tiny -q > /dev/null
train-pc t.h5 -o strict.h5 --preset tiny --unknown error -q > /dev/null
for age in 7 -1 0.5; do
  printf 'age,weight\n1,2\n%s,2\n2,1\n' "$age" > new.csv
  pack-data csv new.csv -o new.h5 -q --force
  elbo-eval m.h5 new.h5 -q || echo "exit $?"
  elbo-eval usual.h5 new.h5 -q | jq .result.num_impossible
  elbo-eval strict.h5 new.h5 -q || echo "exit $?"
done
