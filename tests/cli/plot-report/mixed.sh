# What has no common scale, or is about other data, is drawn together only by those who ask for it; the legend says which
# is which then. Reports that do not say how they came about are drawn as ever.
report() {  # NAME RESULT
  cat > $1.json << END
{
  "schema": "logpx.report/1", "tool": "elbo-eval", "inputs": [], "config": {}, "result": {$2
  "log_likelihood": {"value": -5, "unit": "nats", "kind": "exact"},
  "bits_per_dim": {"value": 0.5, "unit": "bits/dim", "kind": "exact"},
  "time": {"value": 3, "unit": "seconds", "kind": "exact"}}}
END
}
report static '"measure": "probability", "binarise": "static",'
report threshold '"measure": "probability", "binarise": "threshold",'
report same '"measure": "probability", "binarise": "threshold:128",'
report density '"measure": "density", "density_of": "x",'
report scaled '"measure": "density", "density_of": "x/255",'
report old ''
for measure in density probability; do
  for step in 1 2; do echo "{\"step\": $step, \"elbo_train\": -$step, \"lr\": 0.1, \"measure\": \"$measure\"}"; done > $measure.jsonl
done
plot() {
  plot-report "$@" -o fig.gp --force -q || echo "exit $?"
}
plot static.json threshold.json
plot threshold.json same.json old.json
plot static.json threshold.json --series time
plot static.json threshold.json --series bits_per_dim
plot static.json density.json
plot static.json density.json --series bits_per_dim
plot density.json scaled.json --mix-binarisation
plot density.jsonl probability.jsonl
plot density.jsonl probability.jsonl --series lr
plot density.jsonl static.json --series elbo_train,log_likelihood
plot static.json threshold.json --mix-binarisation --label a,b && grep -o '[ab] ([a-z:0-9]*)' fig.gp | sort -u
plot density.jsonl probability.jsonl --mix-measures && grep -o '[a-z]* ([a-z]*)' fig.gp | sort -u
