# ChemNet reads the stereo that a list has, as fcd_torch does; all else leaves it out.
. "$CLI_TESTS/rdkit"
"$(dirname "$(command -v mol-metrics)")/../test-bin/make-chemnet" w.h5
printf '%s\n' 'C[C@H](N)C(=O)O' 'C/C=C/C' CCO CCN > with.smi
printf '%s\n' 'CC(N)C(=O)O' 'CC=CC' CCO CCN > without.smi
mol-metrics with.smi --test without.smi --fcd w.h5 --measures graphs -q 2> warnings |
  jq -c '.result.sets[0] | [.FCD.value > 0.0001, .NSPDK.value, .n_unique]'
