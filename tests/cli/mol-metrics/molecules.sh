# --per-molecule has a row for each line, in their order, with a class for what is no molecule; --valid-out the others.
. "$CLI_TESTS/rdkit"
set -eu
. "$CLI_TESTS/mol-metrics/inputs"
mol-metrics s.smi --train train.smi --test test.smi --per-molecule all.csv --valid-out valid.smi -q > r.json 2> err
cut -d, -f1-4,10 all.csv
echo "valid:"
cat valid.smi
