# A dataset by a KAEM: as long as the log mean over its codebook says, the same archive everywhere, and back.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export SOURCE_DATE_EPOCH=0
make-data digits -n 200 --size 8 --split train:200 -o digits.h5 -q
data=digits.h5:train

number() { # REPORT QUANTITY KEY: a number of the report's result
  sed -n "/^    \"$2\": {/,/}/s/.*\"$3\": \([-0-9.e+]*\),\{0,1\}/\1/p" "$1"
}
# within NAME: code length less initial bits against the log mean over the same entries: 0.1 %, and the
# coder's last state
within() {
  local coded initial nats
  coded=$(number code.json coded bits) initial=$(number code.json initial bits)
  nats=$(number mean.json log_likelihood value)
  awk "BEGIN { bits = -200 * $nats / log(2); excess = $coded - $initial - bits
               exit !(excess < 0.001 * bits + 100 && excess > -0.001 * bits) }" ||
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

check() { # NAME OPTIONS...: of fit-prior
  local name=$1 isa
  shift
  fit-prior digits.h5 -o model.h5 --preset tiny --steps 200 "$@" -q --force
  elbo-eval model.h5 $data --det -q > mean.json 2> own-data
  bits-back-encode model.h5 --dataset $data -o one.lpx --report code.json -q --force -j 1
  within "$name"
  bits-back-encode model.h5 --dataset $data -o other.lpx -q --force -j 4
  cmp one.lpx other.lpx || { echo "$name: 4 threads"; exit 1; }
  for isa in baseline v3 v4; do
    LOGPX_ISA=$isa bits-back-encode model.h5 --dataset $data -o other.lpx -q --force
    cmp one.lpx other.lpx || { echo "$name: $isa"; exit 1; }
    LOGPX_ISA=$isa bits-back-decode model.h5 one.lpx -o $isa.idx -q --force
    cmp baseline.idx $isa.idx || { echo "$name: decoded by $isa"; exit 1; }
  done
  bits-back-encode model.h5 --dataset $data --embed-model --codebook 200 -o whole.lpx -q --force
  mv model.h5 away.h5
  bits-back-decode --trust-embedded-model whole.lpx -o whole.idx -q --force
  cmp baseline.idx whole.idx || { echo "$name: by the embedded model"; exit 1; }
}

check bits --likelihood bernoulli --binarise static
check grey --obs-std 0.1
# What came back is what lay there: the rows as the coder without a model gives them back.
bits-back-encode --fallback-only --dataset $data -o plain.lpx -q
bits-back-decode plain.lpx -o plain.idx -q
cmp plain.idx baseline.idx
bits-back-encode away.h5 --dataset $data --codebook auto -o auto.lpx -q
bits-back-decode away.h5 auto.lpx -o auto.idx -q
cmp plain.idx auto.idx
for size in 0 524289 many; do
  refused 2 "--codebook: is '$size', expected 1 to 524288" \
    bits-back-encode away.h5 --dataset $data --codebook $size
done
# Densities of noisy levels are refused, with a way that works.
fit-prior digits.h5 -o noisy.h5 --preset tiny --steps 5 --dequantise uniform -q
refused 3 'fit-prior --likelihood discretised-gaussian' bits-back-encode noisy.h5 --dataset $data
fit-prior digits.h5 -o levels.h5 --preset tiny --steps 5 --likelihood discretised-gaussian -q
bits-back-encode levels.h5 --dataset $data -o levels.lpx -q
echo "kaem-codes: lengths, bytes and sizes as promised"
