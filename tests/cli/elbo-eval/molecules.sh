# Molecules under a model of orders: three numbers of each, log p(x) itself of small ones, and what does not fit.
set -u
make-data molecules --min-atoms 1 --max-atoms 4 -n 400 -o mol.h5 -q
train-arm mol.h5 --preset tiny --steps 30 --lr-warmup 0 -o lo.h5 -q
train-arm mol.h5 --preset tiny --steps 30 --lr-warmup 0 --model ao -o ao.h5 -q
train-arm mol.h5 --preset tiny --steps 10 --model fixed -o fixed.h5 -q
train-arm mol.h5 --preset tiny --steps 10 --extra-features all -o spectral.h5 -q
score() { elbo-eval "$1" mol.h5:test --limit 12 -q "${@:2}"; }
for method in elbo exact iwae; do
  score lo.h5 --method $method > $method.json
  jq -c '.result | [(.molecules | keys), .molecules.given_n.kind, .log_likelihood.value == .molecules.with_n.value,
    .molecules.given_n.value > .log_likelihood.value, .molecules.unlabelled.value >= .molecules.given_n.value]' $method.json
done
jq -c '.result.exact | [.elbo_below_exact, .gap_mean >= 0]' exact.json
jq -n --slurpfile a elbo.json --slurpfile b exact.json '$a[0].result.log_likelihood.value < $b[0].result.log_likelihood.value + 0.1'
for model in ao fixed spectral; do score $model.h5 --samples 2 | jq -c '.result.molecules | keys'; done
score lo.h5 -j 1 > one.json && score lo.h5 -j 4 > four.json
jq -n --slurpfile a one.json --slurpfile b four.json '$a[0].result.log_likelihood == $b[0].result.log_likelihood'
score lo.h5 --det | jq -c '.result | [.log_likelihood.kind, has("molecules")]'
score lo.h5 --per-example a.csv > /dev/null && head -n 1 a.csv
# Narrower rows are read; larger molecules, other atoms and numbers that training never saw are told apart.
try() { elbo-eval "$@" -q > out || echo "exit $?"; }
make-data molecules --min-atoms 2 --max-atoms 3 -n 20 -o narrow.h5 -q
try lo.h5 narrow.h5 --method exact && jq -c '.result.bits_per_dim | [.dims, .dims_observed < 120]' out
make-data molecules --min-atoms 4 --max-atoms 5 -n 20 -o large.h5 -q
try lo.h5 large.h5
make-data molecules --elements C,N,S --max-atoms 4 -n 20 -o other.h5 -q
try lo.h5 other.h5
make-data hub -n 20 -o hub.h5 -q
try lo.h5 hub.h5
make-data molecules --min-atoms 4 --max-atoms 4 -n 20 -o four.h5 -q
train-arm four.h5 --preset tiny --steps 2 -o four-only.h5 -q
elbo-eval four-only.h5 narrow.h5 --samples 2 -q | jq -c '.result | [.num_impossible, .log_likelihood.value, .molecules.given_n.value < 0]'
make-data molecules --min-atoms 5 --max-atoms 5 -n 20 -o five.h5 -q
train-arm five.h5 --preset tiny --steps 2 -o five-only.h5 -q
try five-only.h5 five.h5 --method exact --limit 1
# One atom: a row of one dim without bonds.
make-data molecules --min-atoms 1 --max-atoms 1 -o single.h5 -q
train-arm single.h5 --preset tiny --steps 30 --batch 4 --valid 0 -o single-only.h5 -q
elbo-eval single-only.h5 single.h5:train --method exact -q | jq -c '.result | [.exact.gap_mean, (.log_likelihood.value + 1.386 | fabs) < 0.3]'
