# A prior is explained and drawn, told by formulas, and pruned; models that are made so serve all tools.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export SOURCE_DATE_EPOCH=0
make-data digits -n 300 --size 8 -o d.h5 -q

# check NAME OPTIONS...: of a model with grids that move.
check() {
  local name=$1 model
  shift
  fit-prior d.h5 -o k.h5 --preset tiny --steps 60 --grid-every 50 "$@" -q --force
  explain-prior k.h5 --q 0 --report e.json --apply f.h5 -q --force > printed.json
  cmp e.json printed.json
  plot-report e.json -o prior.svg -q --force
  prune-prior k.h5 -o p.h5 --edge-threshold 0.05 --json -q --force > p.json
  jq -e '.result.kl >= 0 and .result.kl_largest <= .result.kl' p.json > p.txt
  prune-prior p.h5 -o again.h5 --edge-threshold 0 --node-threshold 0 --alpha-threshold 0 --json -q --force > again.json 2> /dev/null
  jq -e '.result.kl == 0 and .result.mean_change == 0' again.json > p.txt || { echo "$name: pruned again"; exit 1; }
  explain-prior f.h5 --q 0 -q | jq -e '.result.components | all(.symbolic.kl < 1e-6)' > p.txt ||
    { echo "$name: a formula is not told by itself"; exit 1; }
  for model in p.h5 f.h5; do
    elbo-eval $model d.h5 --method is --limit 10 -q > scores.txt
    sample-model $model -n 8 -o s.h5 -q --force
  done
}

check univariate
check mixture --prior mixture --alpha learned --latent 4,3
check uniform --base uniform
check learnable --base learnable-gaussian
for basis in bspline fourier chebyshev; do check $basis --basis $basis; done

# What went takes no room.
prune-prior k.h5 -o small.h5 --edge-threshold 5 -q
[ "$(stat -c %s small.h5)" -lt "$(stat -c %s k.h5)" ] || { echo "a pruned model is no smaller"; exit 1; }
