# Every way to choose subsets, kernels and weights, and scores that were measured elsewhere.
set -eu
. "$CLI_TESTS/fid-extrapolate/inputs"
sizes() { fid-extrapolate real.csv fake.csv --bootstrap 0 -q "$@" | jq -c '[.result.metrics[].points[] | .n]'; }
sizes --metrics fid --sizes 50:200:4
sizes --metrics kid --sizes 20,40,60 --subset disjoint
sizes --metrics kid --sizes 60,20,40,20 --subset prefix
sizes --metrics fid --sizes 60,80,100 --repeats 2
sizes --metrics fid --symmetric --weighted | jq -c '[.[0], .[-1]]'
kid() { fid-extrapolate real.csv fake.csv --metrics kid --bootstrap 0 -q "$@" | jq -c '.result.metrics.kid'; }
kid --kid-mode subsets --kid-subsets 10 --kid-subset-size 40 |
  jq -c '[.mean.n, (.std > 0), .interval, has("full")]'
kid --kid-degree 2 --kid-gamma 0.5 --kid-coef0 0 | jq '.full.value > 0'
# Identical scores leave no R^2; an exact line is found.
printf '%s\n' N,score 5,11 10,8 20,6.5 > line.csv
fid-extrapolate --scores line.csv -q | jq -c '.result.metrics.score | [.infinity.value, .slope, .n_for_1_percent] | map(. * 1000 | round / 1000)'
printf '%s\n' 5,3 10,3 20,3 | fid-extrapolate --scores - -q | jq -c '.result.metrics.score | [.infinity.value, .r2]'
fid-extrapolate real.csv fake.csv --dry-run
