# Tables, source code and a model of formulas; numbers that a prior lacks are refused.
set -eu
. "$CLI_TESTS/explain-prior/inputs"
mkdir tables
explain-prior k.h5 --q 0,1 --p 0 --csv tables --apply formulas.h5 --report e.json -q > out.json
cmp out.json e.json && echo "the report is on stdout"
ls tables
head -n 1 tables/0_0.csv
jq -r '.result.components | length' e.json
jq -r '.series | map(.name) | join(", ")' e.json
jq -e '.result.components | all(.symbolic.kl >= 0 and .variance > 0 and (.candidates | length) > 0)' e.json
explain-prior formulas.h5 --q 0,1 --p 0 -q | jq -e '.result.components | all(.symbolic.r2 > 0.9999)'
explain-prior k.h5 --q 0 --p 0 --code python -q > prior.py
python3 -c 'import prior; print(abs(prior.log_density_0_0(prior.quantile_0_0(0.5))) < 20)'
for threads in 1 2; do explain-prior k.h5 --q 0,1 -j $threads -q > $threads.json; done
cmp 1.json 2.json && echo "same bytes"
explain-prior k.h5 --q 99
