# Of two sets of samples the better one is named for every score; equals are neither.
set -eu
. "$CLI_TESTS/fid-extrapolate/inputs"
rows 33 200 4 1 > good.csv
rows 44 200 4 1 > also-good.csv
fid-extrapolate real.csv good.csv fake.csv --metrics fid,kid,prdc --report ab.json > /dev/null
jq -c '.result | keys_unsorted' ab.json
jq -c '.result.comparison | map_values(.better)' ab.json
jq -e '.result.comparison.fid | .ci95[1] < 0 and .interval == "bootstrap"' ab.json
fid-extrapolate real.csv fake.csv good.csv -q | jq -c '.result.comparison | map_values(.better)'
fid-extrapolate real.csv good.csv also-good.csv -q | jq -c '.result.comparison | map_values(.better)'
fid-extrapolate real.csv good.csv good.csv -q | jq -c '.result.comparison.fid | [.difference, .ci95, .better]'
