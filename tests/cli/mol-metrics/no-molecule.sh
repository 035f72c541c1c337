# A set without a single molecule is no failure: numbers are null, and a warning says so.
. "$CLI_TESTS/rdkit"
set -eu
. "$CLI_TESTS/mol-metrics/inputs"
printf '%s\n' C1CC 'C(C)(C)(C)(C)C' 'hello world' > none.smi
mol-metrics none.smi --train train.smi --test test.smi |
  jq -c '.result.sets[0] | [.n_valid, .validity.value, .uniqueness, .novelty, .IntDiv, .QED, .SNN, .FDD], .refused.counts'
: > empty.smi
mol-metrics empty.smi | jq -c '.result.sets[0] | [.n_generated, .validity]'
