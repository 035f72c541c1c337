# What cannot be evaluated: exit code and message.
set -u
. "$CLI_TESTS/elbo-eval/inputs"
try() {
  elbo-eval "$@" -q > out
  echo "$? $*"
}
make-data digits -n 24 --size 28 -o other.h5 -q
make-data digits -n 240 --size 14 -s 2 -o twin.h5 -q
make-data digits -n 120 --size 14 --split train:rest -o train.h5 -q
train-vae digits.h5 -o four.h5 --preset tiny --binarise static --latent 4 -q
try vae.h5
try vae.h5 other.h5
try vae.h5 digits.h5:nowhere
try vae.h5 digits.h5 --rows 10:20 --limit 0
try vae.h5 digits.h5 --weights ema
try vae.h5 digits.h5 --method ode
try vae.h5 digits.h5 --ais-steps 10
try vae.h5 digits.h5 --method iwae --nodes 8
try vae.h5 digits.h5 --refine 10
try vae.h5 digits.h5 --gap --method elbo
try vae.h5 digits.h5 --method ais --ais-reverse --no-ais-freeze
try vae.h5 digits.h5 --binarise sometimes
try vae.h5 digits.h5 --offset 3
try four.h5 digits.h5 --method quadrature
elbo-eval four.h5 digits.h5 --method reciprocal --limit 2 -q > out && echo "4 dimensions are fine"
try vae.h5 twin.h5 --limit 2
# A dataset without a test split is scored whole.
try vae.h5 train.h5
