# Columns of words and numbers need no option: leaves by their values, trees and clusters beside each
# other, and a probability for what is new.
set -u
{ echo colour,grade,count,cm,unit
  for i in $(seq 120); do
    echo "c$((i % 3)),$((i % 3 - 1)).5,$((37 * i % 211 - 50)),$((i * i % 97)).$((i % 9)),7.5"
  done; } > t.csv
pack-data csv t.csv --categorical auto -o t.h5 -q
train-pc t.h5 -o m.h5 2> said.txt && grep -c 'held back to choose' said.txt
variables() { query-pc m.h5 --query export -o - -q | jq -c '.variables[] | [.name, .cats, .whole, .open, .values]'; }
variables
# New words and values have a probability, whole numbers of any size a mass.
printf 'colour,grade,count,cm,unit\nc9,8.25,-100000,3.5,8\n' > new.csv
query-pc m.h5 new.csv --query loglik -o - -q | awk -F, 'NR == 2 { print ($2 < -20 && $2 > -1e9 ? "a finite log p" : $2) }'
query-pc m.h5 new.csv --query marginal --vars grade -o - -q | cut -d, -f3
# What is filled or drawn is a value of its column.
printf 'colour,grade,count,cm,unit\n,,,3.5,\nc1,,,,\n' > gaps.csv
query-pc m.h5 gaps.csv --query impute --draws 20 -o draws.csv -q > /dev/null
tail -qn +2 draws.*.csv | grep -vE '^c[012],(-1.5|0.5|1.5),-?[0-9]+,-?[0-9.e+-]+,7.5$' || echo "values of the columns"
# One circuit, whatever the number of threads; an option settles what it says.
train-pc t.h5 -o one.h5 -j 1 -q && cmp <(query-pc m.h5 --query export -o - -q) <(query-pc one.h5 --query export -o - -q) && echo "the same circuit"
train-pc t.h5 -o set.h5 --hidden 3 --trees 1 --blocks 0 --epochs 2 -q
query-pc set.h5 --query export -o - -q | jq -c '[.blocks[] | select(.id | test("root")) | .id]'
# Refused: steps that share one table; new values, if that is asked for; codes.
train-pc t.h5 -o x.h5 --structure hmm -q || echo "exit $?"
train-pc t.h5 -o strict.h5 --unknown error --preset tiny -q
query-pc strict.h5 new.csv --query marginal --vars cm -o - -q || echo "exit $?"
bits-back-encode m.h5 t.csv -o t.lpx -q || echo "exit $?"
