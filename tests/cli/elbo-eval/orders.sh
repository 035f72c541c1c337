# Scores of models of orders: every method, the same for any threads, exact numbers above their bounds, and what
# nothing reads.
set -u
make-data hub -n 90 -o hub.h5 -q
make-data digits -n 40 --size 8 -o digits.h5 -q
echo '7 6 5 4 3 2 1 0' > back.txt
arm() { train-arm hub.h5 --preset tiny --hidden 16 --steps 30 --batch 32 --lr 1e-3 -q "$@"; }
arm -o lo.h5
arm -o ao.h5 --model ao
arm -o back.h5 --model fixed --order back.txt
train-arm digits.h5 --preset tiny --channels 4 --levels 4 --steps 4 --batch 8 -o picture.h5 -q
value() { sed -n '/"log_likelihood"/,/}/s/.*"value": \(-[0-9.]*\).*/\1/p' "$1"; }
below() { awk "BEGIN { exit !($(value "$1") < $(value "$2")) }" && echo "$1 < $2"; }
score() { # MODEL NAME OPTIONS...
  local model=$1 name=$2
  shift 2
  for threads in 1 4; do elbo-eval "$model" hub.h5 --limit 12 -q -j $threads "$@" > "$name.$threads"; done
  cmp "$name.1" "$name.4" && mv "$name.1" "$name.json"
  echo "$name: $(sed -n '/"log_likelihood"/,/}/s/.*"kind": "\(.*\)",*/\1/p' "$name.json")"
}
score lo.h5 path
score lo.h5 term --estimator term
score lo.h5 weighed --method iwae --samples 20
score lo.h5 exact --method exact
score lo.h5 code --det
score ao.h5 alike --method exact
score back.h5 fixed
score back.h5 along --method exact
below path.json exact.json
below path.json weighed.json
alike() { awk "BEGIN { d = $(value "$1") - $(value "$2"); exit !(d < 1e-5 && d > -1e-5) }"; }
alike fixed.json along.json && echo "a fixed order has no gap"
grep -oE '"(recon|kl_order|samples|mc_std_error)"|"estimator": .*' path.json term.json
jq -c '.result.exact | [.gap_mean > 0, (.gap_mean - .kl_to_posterior_mean | fabs) < 1e-3, (.elbo_mean | isfinite)]' exact.json
for name in path weighed exact alike; do
  validate-json "$REPO/scripts/schema/report.json" $name.json || echo "$name.json breaks the schema"
done
jq 'del(.result.exact.kl_to_posterior_mean)' exact.json > less.json
validate-json "$REPO/scripts/schema/report.json" less.json || echo "without the posterior it does"
jq 'del(.result.terms.recon)' path.json > less.json
validate-json "$REPO/scripts/schema/report.json" less.json || echo "without recon it does"
elbo-eval picture.h5 digits.h5 --limit 4 -q | jq -c '[.result.bits_per_dim.value < 4, .result.elbo.estimator]'
try() {
  elbo-eval "$@" --limit 2 -q > out
  echo "$? $*"
}
try picture.h5 digits.h5 --method exact
try lo.h5 hub.h5 --method exact --exact-max-dims 7
try lo.h5 hub.h5 --method exact --exact-max-dims 17
try lo.h5 hub.h5 --method exact --samples 3
try lo.h5 hub.h5 --method iwae --estimator path
try lo.h5 hub.h5 --method ode
try lo.h5 digits.h5
try lo.h5 hub.h5 --det --arm-order sideways
