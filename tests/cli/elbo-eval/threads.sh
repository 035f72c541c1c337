# The same numbers for any threads and for any rows asked for besides them.
set -eu
. "$CLI_TESTS/elbo-eval/inputs"
evaluate() {
  elbo-eval vae.h5 digits.h5:train -q "$@"
}
for method in elbo iwae ais reciprocal quadrature ti ss; do
  options=(--method "$method" --limit 70)
  [ $method != ais ] || options+=(--ais-steps 5 --ais-chains 2)
  [ $method != ti ] && [ $method != ss ] || options+=(--temps 2 --samples 6 --ais-chains 2)
  [ $method != quadrature ] || options+=(--nodes 24)
  for threads in 1 2 4; do evaluate "${options[@]}" -j $threads > $threads.json 2> $threads.err; done
  cmp 1.json 2.json && cmp 1.json 4.json && cmp 1.err 2.err && cmp 1.err 4.err && echo "$method: same bytes"
done
# Rows 0:64 are a block of the dataset, whatever follows.
evaluate --limit 64 --per-example few.h5 > few.json
evaluate --limit 150 --per-example many.h5 > many.json
evaluate --rows 0:64 --per-example rows.h5 > rows.json
elbo-eval --compare few.h5,rows.h5 -q | grep -A1 '"difference"'
