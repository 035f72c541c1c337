# The numbers of a few molecules are those that RDKit's own scripts give (tests/golden/loarm.md).
. "$CLI_TESTS/rdkit"
set -eu
printf '%s\n' CCO OCC C1CC c1ccccc1 CCN c1cccc1 C1=CC=CC=C1 'CC(=O)O' > gen.smi
printf '%s\n' CCO CCC > train.smi
printf '%s\n' CCO c1ccccc1C CCNC > test.smi
mol-metrics gen.smi --train train.smi --test test.smi -q > r.json 2> err
jq -r '.result.sets[0] |
  "generated \(.n_generated), valid \(.n_valid), unique \(.n_unique)",
  ({uniqueness, novelty, SNN, IntDiv, morgan: .sim_pair.morgan, QED: .QED.mean, SA: .SA.mean} |
    to_entries[] | "\(.key) \(.value.value * 1e6 | round / 1e6)"),
  "refused \(.refused.counts)"' r.json
