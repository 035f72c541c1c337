# A dataset by a KAEM: as long as the log mean over its codebook says, or the bound of its encoder; the same
# archive everywhere, and back.
. "$(dirname "$0")/shared/report-number"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export SOURCE_DATE_EPOCH=0
make-data digits -n 200 --size 8 --split train:200 -o digits.h5 -q
data=digits.h5:train

# within NAME SHARE: code length less initial bits against what the coder's numbers say, and its last state.
# Of a codebook that is the log mean over the same entries; of an encoder the bound, whose draws are others.
within() {
  local coded initial nats
  coded=$(number code.json coded bits) initial=$(number code.json initial bits)
  nats=$(number mean.json log_likelihood value)
  awk "BEGIN { bits = -200 * $nats / log(2); excess = $coded - $initial - bits
               exit !(excess < $2 * bits + 100 && excess > -$2 * bits) }" ||
    { echo "$1: $coded bits, $initial of them initial, and a mean of $nats nats"; exit 1; }
  grep -A1 '"fallback": {' code.json | grep -q '"blocks": 0,' || { echo "$1: blocks without the model"; exit 1; }
}
refused() { # STATUS WORDS COMMAND...
  local status=0 expected=$1 words=$2
  shift 2
  "$@" -o none.lpx -q 2> err || status=$?
  [ $status = "$expected" ] && grep -q -e "$words" err || { cat err; echo "$* exits $status"; exit 1; }
  [ ! -e none.lpx ]
}

check_codes() { # NAME MODEL SHARE
  local isa
  elbo-eval "$2" $data --det -q > mean.json 2> own-data
  bits-back-encode --effort fast --model-only "$2" --dataset $data -o one.lpx --report code.json -q --force -j 1
  within "$1" "$3"
  bits-back-encode --effort fast --model-only "$2" --dataset $data -o other.lpx -q --force -j 4
  cmp one.lpx other.lpx || { echo "$1: 4 threads"; exit 1; }
  for isa in $ISAS; do
    LOGPX_ISA=$isa bits-back-encode --effort fast --model-only "$2" --dataset $data -o other.lpx -q --force
    cmp one.lpx other.lpx || { echo "$1: $isa"; exit 1; }
    LOGPX_ISA=$isa bits-back-decode "$2" one.lpx -o $isa.idx -q --force
    cmp baseline.idx $isa.idx || { echo "$1: decoded by $isa"; exit 1; }
  done
}
embedded() { # NAME MODEL OPTIONS...: without any file of the model
  local name=$1 model=$2
  shift 2
  bits-back-encode --effort fast "$model" --dataset $data --embed-model "$@" -o whole.lpx -q --force
  mv "$model" away.h5
  bits-back-decode --trust-embedded-model whole.lpx -o whole.idx -q --force
  cmp baseline.idx whole.idx || { echo "$name: by the embedded model"; exit 1; }
  mv away.h5 "$model"
}
check() { # NAME OPTIONS...: of fit-prior
  local name=$1
  shift
  fit-prior digits.h5 -o model.h5 --preset tiny --steps 200 "$@" -q --force
  check_codes "$name" model.h5 0.001
  embedded "$name" model.h5 --codebook 200
  fit-prior digits.h5 -o encoder.h5 --preset tiny --steps 600 --encoder-for model.h5 -q --force
  check_codes "$name, encoder" encoder.h5 0.01
  embedded "$name, encoder" encoder.h5
}

check bits --likelihood bernoulli --binarise static
check mixture --prior mixture --latent 3,2 --obs-std 0.3
check grey --obs-std 0.2
# What came back is what lay there: the rows as the coder without a model gives them back.
bits-back-encode --fallback-only --dataset $data -o plain.lpx -q
bits-back-decode plain.lpx -o plain.idx -q
cmp plain.idx baseline.idx
bits-back-encode --effort fast model.h5 --dataset $data --codebook auto -o auto.lpx -q
bits-back-decode model.h5 auto.lpx -o auto.idx -q
cmp plain.idx auto.idx
# An encoder serves the rows that a codebook serves, under particles too, and leaves the choice.
encoded() { # OPTIONS...
  bits-back-encode --effort fast encoder.h5 --dataset $data "$@" -o auto.lpx -q --force
  bits-back-decode encoder.h5 auto.lpx -o auto.idx -q --force
  cmp plain.idx auto.idx || { echo "by an encoder, $*: other rows"; exit 1; }
}
encoded --codebook auto
encoded --codebook 256 --codebook-seed 9
encoded --particles 4 --latent-bits 10
for size in 0 524289 many; do
  refused 2 "--codebook: is '$size', expected 1 to 524288" \
    bits-back-encode --effort fast model.h5 --dataset $data --codebook $size
done
# Densities of noisy levels are refused, with a way that works.
fit-prior digits.h5 -o noisy.h5 --preset tiny --steps 5 --dequantise uniform -q
refused 3 'fit-prior --likelihood discretised-gaussian' bits-back-encode noisy.h5 --dataset $data
fit-prior digits.h5 -o levels.h5 --preset tiny --steps 5 --likelihood discretised-gaussian -q
bits-back-encode --effort fast levels.h5 --dataset $data -o levels.lpx -q
echo "kaem-codes: lengths, bytes and sizes as promised"
