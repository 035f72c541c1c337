# --prune-states: a lower bound from few hidden states, whose kind says so; sums that skip the zeros give the same.
set -u
make-data hmm-text -n 120 --length 12 --states 3 --alphabet 5 --split train:120 -o text.h5 -q
train-pc text.h5 -o m.h5 --factors 4,4 --epochs 4 --batch 30 -q
result() { elbo-eval m.h5 text.h5 -q "$@" 2> /dev/null | jq -c "$ask"; }
ask='[.result.log_likelihood.kind, .result.exact]'
result
result --prune-states 0
result --prune-states 0.5
result --prune-states 0.5 --prune-scope all --prune-exec sparse
ask='.result.log_likelihood.value'
exact=$(result)
[ "$(result --prune-states 0)" = "$exact" ] && echo "none left out: the same"
for scope in step all; do
  half=$(result --prune-states 0.5 --prune-scope $scope) most=$(result --prune-states 0.9 --prune-scope $scope)
  jq -nc "[$most < $half, $half < $exact, $half > $exact - 60]"
  jq -n "$(result --prune-states 0.9 --prune-scope $scope --prune-exec sparse) - $most | . * . < 1e-8"
done
[ "$(result --prune-states 0.5 -j 2)" = "$(result --prune-states 0.5 -j 1)" ] && echo "the same for two threads"
elbo-eval m.h5 text.h5 --prune-states 0.5 -q --per-example s.h5 > /dev/null 2>&1 && inspect -q s.h5 | jq -r '.result.attributes.likelihood_kind'
make-data tree -n 60 --dim 5 -o table.h5 -q
train-pc table.h5 -o t.h5 --structure hclt --hidden 4 --epochs 1 -q
elbo-eval t.h5 table.h5 --prune-states 0.5 -q 2> /dev/null | jq -r '.result.log_likelihood.kind'
try() { elbo-eval "$@" -q > /dev/null || echo "exit $?"; }
try m.h5 text.h5 --prune-states 1
try m.h5 text.h5 --prune-states 0.5 --eval stream:2
try m.h5 text.h5 --prune-scope all
try m.h5 text.h5 --prune-exec sparse --prune-states 0
try m.h5 text.h5 --prune-states 0.5 --det
make-data bars -n 60 -o bars.h5 -q
train-vae bars.h5 -o vae.h5 --preset tiny --steps 2 -q
try vae.h5 bars.h5 --prune-states 0.5
