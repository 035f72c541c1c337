# ti and ss report temperatures, moments and evidence along them, and a curve that can be drawn. Chains of two
# samples cannot show that they have mixed.
set -eu
. "$CLI_TESTS/elbo-eval/inputs"
for method in ti ss; do
  elbo-eval vae.h5 digits.h5 --method $method --temps 3 --power 2 --samples 8 --ais-chains 4 --limit 6 -q > $method.json
  jq -r ".result.$method | [(.temps | map(. * 1000 | round)), (.E | length), (.V | length), .log_Z_t[0],
    (.log_Z_t | length), .formula, .r_hat_max, .mixing_warning] | tostring" $method.json
  jq -e ".result | (.log_likelihood.value - .$method.log_Z_t[3]) | fabs < 1e-6" $method.json
  jq -r '.result.log_likelihood.kind, (.series[] | .name + ": " + .x_label), .result.samples' $method.json
  plot-report $method.json -o $method.gp -q
done
elbo-eval vae.h5 digits.h5 --method ti --formula ss --limit 2 || echo "exit $?"
# Chains promise no bound from above.
elbo-eval vae.h5 digits.h5 --method ss --formula ss-reverse --temps 2 --samples 8 --ais-chains 4 --limit 2 -q |
  jq -r '.result.log_likelihood.kind'
