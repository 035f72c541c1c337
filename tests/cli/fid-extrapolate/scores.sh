# FID and KID at infinity, with intervals, points and the curves that plot-report draws.
set -eu
. "$CLI_TESTS/fid-extrapolate/inputs"
fid-extrapolate real.csv fake.csv --report f.json > out.json
cmp out.json f.json && echo "the report is on stdout"
jq -c '.result | keys_unsorted, .real, .fake' f.json
jq -c '.result.metrics.fid | keys_unsorted' f.json
jq -c '.result.metrics.kid | keys_unsorted - ["points"]' f.json
jq -c '[.result.metrics.fid.points[].n]' f.json
jq -e '.result.metrics.fid | .ci95[0] < .infinity.value and .infinity.value < .ci95[1]
  and .infinity.value < .at_max_n.value and .interval == "bootstrap" and .n_for_1_percent > 200' f.json
jq -e '.result.metrics.fid | (.at_max_n.n * .bias_at_max_n - .slope | fabs) < 1e-9' f.json
jq -c '[.series[] | {name, style}]' f.json
plot-report f.json -o f.gp -q
fid-extrapolate real.csv fake.csv --bootstrap 0 --level 0.9 --metrics fid -q |
  jq -c '.result.metrics.fid | {interval, ci90: (.ci90 | length)}'
