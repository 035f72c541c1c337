# The report says what went and how far the prior has moved; other tools read the smaller model.
set -eu
. "$CLI_TESTS/prune-prior/inputs"
prune-prior k.h5 -o p.h5 --edge-threshold 0.1 --json -q > p.json
jq -e '.result.kl >= 0 and .result.kl_largest <= .result.kl and .result.pruned.energies.before > 0' p.json
jq -r '.result.pruned.layers[0].layer' p.json
sample-model p.h5 -n 4 -o s.h5 -q
explain-prior p.h5 --q 0 --p 0 -q | jq -r '.result.components | length'
prune-prior k.h5 -o q.h5 --edge-threshold 0 --node-threshold 0 --flat-threshold 0 -q
prune-prior k.h5 -o r.h5 --dry-run 2>&1 | sed 's/[0-9]\+/N/g'
