# Numbers, errors and files are the same for any number of threads.
. "$CLI_TESTS/rdkit"
set -eu
make-data molecules --min-atoms 3 --max-atoms 4 -o m.h5 -q
for threads in 1 3; do
  mol-metrics m.h5:valid --test m.h5:test --bootstrap 3 --max-pairs-mols 100 -j $threads -q \
    --per-molecule all.$threads.csv 2> err | jq '.result' > $threads.json
done
cmp 1.json 3.json
cmp all.1.csv all.3.csv
jq -r '.sets[0] | .SNN.std_error > 0 and .FDD.std_error > 0' 1.json
