# A prior is explained and drawn, told by formulas, and pruned; models that are made so serve all tools.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export SOURCE_DATE_EPOCH=0
make-data digits -n 300 --size 8 -o d.h5 -q

# check NAME OPTIONS...
check() {
  local name=$1
  shift
  fit-prior d.h5 -o k.h5 --preset tiny --steps 120 --grid-every 50 "$@" -q --force
  explain-prior k.h5 --report e.json --apply f.h5 -q --force > printed.json
  cmp e.json printed.json
  plot-report e.json -o prior.svg -q --force
  grep -q '<svg' prior.svg
  prune-prior k.h5 -o p.h5 --edge-threshold 0.05 --json -q --force > p.json
  jq -e '.result.kl >= 0 and .result.kl_largest <= .result.kl' p.json > /dev/null
  # What went is gone: pruning again takes nothing.
  prune-prior p.h5 -o again.h5 --edge-threshold 0 --node-threshold 0 --alpha-threshold 0 --json -q --force \
    > again.json 2> /dev/null
  jq -e '.result.kl == 0 and .result.mean_change == 0' again.json > /dev/null || { echo "$name: pruned again"; exit 1; }
  # The energies of f.h5 are the formulas of the report.
  explain-prior f.h5 --report fe.json -q --force > /dev/null
  jq -s -e '[.[].result.components | map([.mean, .log_Z])] | flatten as $x | ($x | length / 2) as $n
    | all(range($n); ($x[.] | type) == "number" and ($x[. + $n] | type) == "number")' e.json fe.json > /dev/null
  jq -e '.result.components | all(.kl_to_base >= -1e-9 and .symbolic.kl < 1e-6)' fe.json > /dev/null ||
    { echo "$name: formulas are not told by themselves"; exit 1; }
  for model in p.h5 f.h5; do
    elbo-eval $model d.h5 --method is --limit 10 --json -q | jq -e '.result.log_likelihood // .result | tostring | length > 2' > /dev/null
    sample-model $model -n 8 -o s.h5 -q --force
    inspect $model > /dev/null
  done
}

check univariate
check mixture --prior mixture --alpha learned --latent 4,3
check uniform --base uniform
check learnable --base learnable-gaussian
for basis in bspline fourier chebyshev; do check $basis --basis $basis; done
