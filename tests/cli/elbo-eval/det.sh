# By the coder's numbers: one report for any threads and any instructions; close to the other one.
set -u
. "$CLI_TESTS/elbo-eval/inputs"
for threads in 1 2 4; do elbo-eval vae.h5 digits.h5:train --det -q -j $threads > $threads.json; done
cmp 1.json 2.json && cmp 1.json 4.json && echo "threads: same bytes"
for isa in $ISAS; do
  LOGPX_ISA=$isa elbo-eval vae.h5 digits.h5:train --det -q > "$isa.json" 2> err
  cmp 1.json "$isa.json" || cat err
done
echo "instructions: compared"
grep -E '"(numerics|method)"' 1.json
grep -A3 '"log_likelihood"' 1.json | grep kind
elbo-eval vae.h5 digits.h5:train -q --method elbo > blas.json
value() { sed -n '/"log_likelihood"/,/}/s/.*"value": \(-[0-9.]*\).*/\1/p' "$1"; }
awk "BEGIN { d = $(value 1.json) - $(value blas.json); exit !(d * d < 1) }" && echo "within a nat"
try() {
  elbo-eval "$@" --det -q > out
  echo "$? $*"
}
try vae.h5 digits.h5 --method iwae
try vae.h5 digits.h5 --samples 3
try vae.h5 digits.h5 --gap
make-data gauss -n 60 -o gauss.h5 -q
train-vae gauss.h5 -o gauss-vae.h5 --preset tiny --likelihood gaussian -q
try gauss-vae.h5 gauss.h5
# It has the coder's own knobs, and says which it used.
for particles in 1 8; do
  elbo-eval vae.h5 digits.h5 --det --latent-bits auto --particles $particles -q > "by-$particles.json"
  grep -oE '"(latent_bits|particles)": [^,]*' "by-$particles.json" | paste -sd' '
done
awk "BEGIN { exit !($(value by-1.json) < $(value by-8.json)) }" && echo "more particles, a better bound"
