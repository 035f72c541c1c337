# Gradient estimators of a model: the same variances for any threads, and less noise where theory wants it.
set -eu
. "$CLI_TESTS/elbo-eval/inputs"
study() { elbo-eval --study gradient-variance vae.h5 digits.h5 --limit 20 --repeats 60 -q "$@"; }
for threads in 1 2 4; do study -j $threads > $threads.json; done
cmp 1.json 2.json && cmp 1.json 4.json && echo "same bytes"
grep -o '"estimator": "[a-z-]*"' 1.json
grep -o '"tensor": "[a-z0-9/_]*"' 1.json | sort -u
variance() { # ESTIMATOR: of the means' weights
  sed -n "/\"estimator\": \"$1\"/,/\"estimator\"/{/mean\/w/,/}/s/.*\"variance\": \([-0-9.e]*\).*/\1/p}" 1.json
}
awk "BEGIN { exit !($(variance sgvb-a) < $(variance score-function)) }" && echo "the path is quieter than the score"
make-data gauss -n 60 -o gauss.h5 -q
train-vae gauss.h5 -o em.h5 --preset tiny --likelihood gaussian --algorithm mcem -q
code=0
elbo-eval --study gradient-variance em.h5 gauss.h5 -q || code=$?
echo $code
