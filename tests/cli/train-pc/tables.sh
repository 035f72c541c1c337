# A table gets trees of its columns beside clusters: their names or words say that they are no steps
# of one sequence.
set -u
try() { train-pc "$@" -o m.h5 -q --force || echo "exit $?"; }
structure() { try "$@"; inspect m.h5 -q | jq -r '[.. | objects | .structure? // empty] | first'; }
{ echo colour,size; for _ in $(seq 60); do printf 'red,small\nblue,large\ngreen,large\n'; done; } > words.csv
pack-data csv words.csv --categorical auto -o words.h5 -q
tail -n +2 words.csv > bare.csv && pack-data csv bare.csv --no-header --categorical auto -o bare.h5 -q
{ echo kind,cm,legs; for i in $(seq 40); do echo "w$((i % 3)),$((i % 7)).25,$((i % 2))"; done; } > mixed.csv
pack-data csv mixed.csv --categorical auto -o mixed.h5 -q
make-data tree -n 60 --dim 4 -o unnamed.h5 -q
make-data hmm-text -n 60 --length 8 -o text.h5 -q
for data in words bare mixed; do structure $data.h5 --steps 1; done
for data in unnamed text; do structure $data.h5 --preset tiny --steps 1; done
# What stands nowhere has next to no probability, and only words fill gaps.
try words.h5 --steps 80
printf 'colour,size\nred,\n,small\nblue,\n' > gaps.csv
query-pc m.h5 gaps.csv --query marginal --rows 0:1 -o - -q | awk -F, '$3 == "large" { print ($4 < 0.02) }'
query-pc m.h5 gaps.csv --query impute --draws 50 -o draws.csv -q > /dev/null
tail -qn +2 draws.*.csv | sort -u | grep -vxE '(red|blue|green),(small|large)' || echo "words alone"
for data in words bare mixed; do try $data.h5 --structure hmm; done
structure mixed.h5 --structure hmm --inhomogeneous --hidden 4 --steps 1
# A number of the validation rows that is above those of training has its place beside them.
{ echo age,cm; for i in $(seq 40); do echo "$((20 + i % 5 + i / 40 * 5)),$((i % 7)).25"; done; } > ages.csv
pack-data csv ages.csv --split train:30,valid:10 -o ages.h5 -q
try ages.h5 --steps 2
elbo-eval m.h5 ages.h5:valid -q | jq '.result.num_impossible'
