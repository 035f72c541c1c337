# FCD by weights that are given: 0 of a set from itself, the same from a stored reference and by any threads.
. "$CLI_TESTS/rdkit"
make_chemnet() { "$(dirname "$(command -v mol-metrics)")/../test-bin/make-chemnet" "$@"; }
make_chemnet w.h5
make_chemnet other.h5 2
make_chemnet narrow.h5 1 64
printf '%s\n' C CO CCO CCN CC=O c1ccccc1 CC#N OCCO NCC=O CCCl > test.smi
printf '%s\n' OCC CCCC CCC=O c1ccccc1O CC#CC NCCO not-a-molecule C1CC1 > s.smi
few() { mol-metrics "$@" --measures graphs -q 2>> warnings; }
numbers() { jq -c '.result | [.sets[0].FCD.value, .sets[0].fcd_score.value, .test.FCD_halves.value]'; }
few s.smi --test test.smi --fcd w.h5 > direct.json
jq -c '.result.sets[0] | [.FCD.value > 0.01, (.fcd_score.value - (-0.2 * .FCD.value | exp) | fabs) < 1e-9, .FCD.n]' direct.json
few test.smi --test test.smi --fcd w.h5 | jq -c '.result.sets[0].FCD.value < 1e-6'
few test.smi --make-reference --fcd w.h5 -o ref.h5 > made.json
few s.smi --test ref.h5 --fcd w.h5 | numbers | cmp - <(numbers < direct.json)
few s.smi --test ref.h5 --fcd w.h5 --threads 3 | numbers | cmp - <(numbers < direct.json)
few s.smi --test ref.h5 | jq -c '.result.sets[0] | has("FCD")'
grep -m 1 FCD warnings
# What does not fit.
try() { mol-metrics s.smi --measures graphs -q "$@" > /dev/null || echo "exit $?"; }
few test.smi --make-reference -o without.h5 > made.json
make-data digits -n 40 --size 8 -o d.h5 -q
extract-features d.h5 -o f.h5 --extractor pca:2 --save-basis pca.h5 -q
try --test without.h5 --fcd w.h5
try --test ref.h5 --fcd other.h5
try --test test.smi --fcd narrow.h5
try --test test.smi --fcd pca.h5
try --test test.smi --fcd test.smi
try --fcd w.h5
extract-features d.h5 -o g.h5 --extractor inception-v3 --extractor-weights w.h5 -q || echo "exit $?"
