# Every report says whether log p is that of a probability or of a density, and of what; nothing compares one with the
# other.
make-data digits -n 60 --size 8 -o digits.h5 -q
make-data gauss -n 60 -o reals.h5 -q
measure='[.measure, .density_of] | map(select(. != null)) | join(" of ")'
model() {  # NAME TOOL DATA OPTION...
  local name=$1 tool=$2 data=$3
  shift 3
  "$tool" $data -o $name.h5 --preset tiny --report $name.json "$@" 2>&1 | sed -n 's/.* steps, [a-z_]* [-0-9.]* (\(.*\)), .*/trained \1/p'
  echo "report $(jq -r ".result | $measure" $name.json)"
  echo "history $(jq -rs "[.[] | $measure] | unique[]" $name.history.jsonl) $(jq -rs '[.[].binarise] | unique[] | values' $name.history.jsonl)"
  elbo-eval $name.h5 $data --per-example $name.scores.h5 --report $name.scored.json > out 2> err
  sed -nE 's/.* nats(.*) \((.* bits\/dim, )?([a-z ]*), [0-9]+ examples.*/scored\1: \3/p' err | sed 's/stochastic //'
  echo "report $(jq -r ".result | $measure" $name.scored.json)"
  inspect $name.scores.h5 -q | jq -c '.result.attributes | [.measure, .density_of]'
  for report in $name.json $name.scored.json; do validate-json "$REPO/scripts/schema/report.json" $report; done
}
model counts train-vae digits.h5 --likelihood beta-binomial --steps 5
model bits train-vae digits.h5 --binarise static --steps 5
model grey train-vae digits.h5 --allow-gray --steps 5
model scaled train-vae digits.h5 --likelihood gaussian --steps 5
model noisy train-vae digits.h5 --likelihood gaussian --dequantise uniform --steps 5
model normal train-vae reals.h5 --likelihood gaussian --steps 5
model axes fit-prior digits.h5 --pca 2 --whiten --mean-activation identity --steps 5
model circuit train-pc digits.h5 --steps 2
model leaves train-pc reals.h5 --steps 2
query-pc leaves.h5 reals.h5 --query loglik --limit 1 2> err | jq -r ".result | $measure"
query-pc circuit.h5 digits.h5 --query loglik --limit 1 2> err | jq -r ".result | $measure"
compare() {
  elbo-eval --compare $1.scores.h5,$2.scores.h5 2> err | jq -c '.result.a.measure, .result.difference.unit'
  grep error err
  elbo-eval --compare $1.scores.h5,$2.scores.h5 > out 2> err || echo "exit $?"
}
compare counts circuit
compare counts scaled
compare scaled noisy
compare normal leaves
