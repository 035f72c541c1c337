# How a molecule came about: some steps as SVG; and whether a policy takes first what is sure.
. "$CLI_TESTS/rdkit"
set -u
make-data molecules --min-atoms 3 --max-atoms 4 -n 60 -o mol.h5 -q
train-arm mol.h5 --preset tiny --steps 20 --lr 0.05 --batch 32 --policy entropy -o m.h5 -q
sample-model m.h5 -n 6 --n-atoms 4 --order-trace all -o all.h5 -q
sample-model m.h5 -n 6 --n-atoms 4 --order-trace steps -o steps.h5 -q
view-samples all.h5 --path 1,5,10 -o path.svg
grep -c 'step [0-9]* of 10' path.svg
grep -o '>before<\|>after<\|>atoms<\|>pairs<' path.svg | sort | uniq -c | sed 's/^ *//'
# All ten parts are unknown before the first step, none after the last.
view-samples all.h5 --path 1 -o first.svg -q && grep -c '>x</text>' first.svg | jq '. == 7 or . == 8'
view-samples all.h5 --path 10 -o last.svg -q && grep -c '>x</text>' last.svg | jq '. <= 1'
view-samples all.h5 --path 3,11 --rows 2:3 -o third.svg
view-samples all.h5 --order-entropy --report e.json | sed 's/^\(spearman\|std_error\|spearman_pooled\),.*/\1,*/'
jq -c '.series[0] | [.name, .style, .x_label, .y_label, (.x | length) == (.y | length)]' e.json
# A policy by entropies with beta above 0 takes what is sure first, below 0 last: always one of the two.
view-samples all.h5 --order-entropy | awk -F, '$1 == "spearman" { print ($2 > 0.99 || $2 < -0.99) }'
try() { view-samples "$@" || echo "exit $?"; }
try all.h5 --path 11 -o none.svg
try all.h5 --path 1
try all.h5 --path 1 --rows 0:2 -o two.svg
try all.h5 --path 1 --order-entropy -o a.svg
try all.h5 --order-entropy -o a.svg
try steps.h5 --path 1 -o a.svg
try steps.h5 --order-entropy
try mol.h5 --path 1 -o a.svg
