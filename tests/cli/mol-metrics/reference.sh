# A reference gives the numbers of the test set that it was made of, the same bytes each time, and says what it lacks.
. "$CLI_TESTS/rdkit"
set -eu
. "$CLI_TESTS/mol-metrics/inputs"
mol-metrics test.smi --make-reference -o ref.h5 -q > made.json
mol-metrics test.smi --make-reference -o again.h5 -q -j 2 > made.json
cmp ref.h5 again.h5
mol-metrics s.smi --test test.smi -q 2> err | jq -c '.result | .sets, .test | del(.. | .name?)' > a.json
mol-metrics s.smi --test ref.h5 -q 2> err | jq -c '.result | .sets, .test | del(.. | .name?)' > b.json
cmp a.json b.json
inspect ref.h5 --check -q | jq -r '.. | .kind? // empty' | head -n 1
mol-metrics test.smi --make-reference --measures properties -o some.h5 -q > made.json
mol-metrics s.smi --test some.h5 -q || echo "exit $?"
mol-metrics s.smi --test some.h5 --measures properties -q 2> err | jq '.result.sets[0].SNN'
