# A KAEM codes by a codebook; with an encoder by bits back, unless a codebook is asked for. The archive says
# which, and a decoder needs no option. Sizes that make no sense are refused, and nothing is written.
. "$CLI_TESTS/bits-back-encode/setup"
make-data digits -n 40 --size 8 -o digits.h5 -q
fit-prior digits.h5 -o k.h5 --preset tiny --steps 40 -q
fit-prior digits.h5 -o ke.h5 --preset tiny --steps 40 --encoder-for k.h5 -q
bits-back-encode --fallback-only --dataset digits.h5 -o plain.lpx -q && bits-back-decode plain.lpx -o plain -q
code() { # MODEL CODEBOOK OPTIONS...: the codebook that the archive names
  local model=$1 expected=$2 trust=()
  shift 2
  case $* in *--embed-model*) trust=(--trust-embedded-model) ;; esac  # what is embedded may be rounded
  expect 0 bits-back-encode --effort fast --model-only "$model.h5" --dataset digits.h5 -o a.lpx -q --force "$@"
  bits-back-decode --list -v a.lpx 2> list-err | grep -q "\"codebook\":\"$expected\"" || die "$model $*: not $expected"
  expect 0 bits-back-decode "${trust[@]}" "$model.h5" a.lpx -o a -q --force
  cmp plain a || die "$model $*: the rows differ"
}
code k 1024
code k 300 --codebook 300 --codebook-seed 4
bits-back-decode --list -v a.lpx 2> list-err | grep -q '"codebook_seed":"4"' || die "the archive does not name the seed"
code k '[0-9]*' --codebook auto
code ke off
code ke off --latent-bits auto
code ke off --codebook off --particles 3
code ke 300 --codebook 300
code ke '[a-z0-9]*' --codebook auto
code ke off --embed-model
for wrong in 0 524289 many Off; do
  expect 2 bits-back-encode ke.h5 --dataset digits.h5 --codebook $wrong -o none.lpx -q
done
expect 2 bits-back-encode k.h5 --dataset digits.h5 --codebook off -o none.lpx -q
expect 2 bits-back-encode k.h5 --dataset digits.h5 --latent-bits 10 -o none.lpx -q
# An archive of one model is not opened by the other.
bits-back-encode --effort fast --model-only ke.h5 --dataset digits.h5 -o b.lpx -q
expect 3 bits-back-decode k.h5 b.lpx -o none -q
[ ! -e none ] && [ ! -e none.lpx ] || die "something was written"
no_leftovers
