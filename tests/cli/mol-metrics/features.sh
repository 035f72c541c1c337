# Features go to fid-extrapolate, and a table of fragments made of molecules scores SA_custom.
. "$CLI_TESTS/rdkit"
set -eu
make-data molecules --min-atoms 3 --max-atoms 4 -o m.h5 -q
for kind in descriptors morgan; do
  mol-metrics m.h5:train --features $kind -o $kind.h5 --measures properties -q > r.json
  inspect $kind.h5 -q | jq -c '.. | .attributes? // empty | [.extractor, .n, .d]'
done
mol-metrics m.h5:test --features descriptors -o test.h5 --measures properties -q > r.json
fid-extrapolate descriptors.h5 test.h5 --metrics fid --bootstrap 0 -q | jq -c '.result.real'
mol-metrics --build-sa-table m.h5 -o table.h5 -q > r.json
mol-metrics m.h5:test --sa-table table.h5 --measures properties -q | jq -c '.result.sets[0] | [.SA, .SA_unknown_share, (.SA_custom.mean.value > 1)]'
