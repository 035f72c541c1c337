# At a terminal a set without a molecule hides nothing of the set beside it.
. "$CLI_TESTS/rdkit"
. "$CLI_TESTS/terminal"
set -eu
. "$CLI_TESTS/mol-metrics/inputs"
: > none.smi
COLUMNS=100 script -qec "mol-metrics none.smi s.smi -q" /dev/null < /dev/null | tr -d '\r' > shown
for row in 'QED +s.smi' 'MW +s.smi' 'IntDiv +-' 'circles +-'; do
  grep -E "^ *$row +[0-9.]+" shown || echo "no row $row in: $(cat shown)"
done
