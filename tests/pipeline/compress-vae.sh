# A dataset by a VAE: as long as the bound of `elbo-eval --det` says, the same archive everywhere, and back.
. "$(dirname "$0")/shared/report-number"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export SOURCE_DATE_EPOCH=0
make-data digits -n 1200 --size 14 --split train:1200 -o digits.h5 -q
data=digits.h5:train

# within NAME: code length less initial bits against the bound of the same rows, 1 %
within() {
  local coded initial bound
  coded=$(number code.json coded bits) initial=$(number code.json initial bits)
  bound=$(number bound.json total_bits value)
  awk "BEGIN { excess = ($coded - $initial) / $bound - 1; exit !(excess < 0.01 && excess > -0.01) }" ||
    { echo "$1: $coded bits, $initial of them initial, and a bound of $bound"; exit 1; }
  grep -A1 '"fallback": {' code.json | grep -q '"blocks": 0,' || { echo "$1: blocks without the model"; exit 1; }
}

check() { # NAME OPTIONS...: of train-vae
  local name=$1 threads isa
  shift
  train-vae digits.h5 -o model.h5 "$@" -q --force
  elbo-eval model.h5 $data --det -q > bound.json
  bits-back-encode --effort fast model.h5 --dataset $data -o one.lpx --report code.json -q --force -j 1
  within "$name"
  for threads in 2 4; do
    bits-back-encode --effort fast model.h5 --dataset $data -o other.lpx -q --force -j $threads
    cmp one.lpx other.lpx || { echo "$name: $threads threads"; exit 1; }
  done
  for isa in $ISAS; do
    LOGPX_ISA=$isa bits-back-encode --effort fast model.h5 --dataset $data -o other.lpx -q --force
    cmp one.lpx other.lpx || { echo "$name: $isa"; exit 1; }
    LOGPX_ISA=$isa bits-back-decode model.h5 one.lpx -o $isa.idx -q --force
    cmp baseline.idx $isa.idx || { echo "$name: decoded by $isa"; exit 1; }
  done
  bits-back-encode --effort fast model.h5 --dataset $data --embed-model -o whole.lpx -q --force
  mv model.h5 away.h5
  bits-back-decode --trust-embedded-model whole.lpx -o whole.idx -q --force
  cmp baseline.idx whole.idx || { echo "$name: by the embedded model"; exit 1; }
}

check raw --preset bits-back --hidden 64 --latent 8 --epochs 30 --batch 50 --lr 0.003
# What came back is what lay there: the rows as the coder without a model gives them back.
bits-back-encode --fallback-only --dataset $data -o plain.lpx -q
bits-back-decode plain.lpx -o plain.idx -q
cmp plain.idx baseline.idx
check binarised --preset tiny --binarise static
# The bits of static binarisation: those that the bound reads, so their own bound is the same.
pack-data idx baseline.idx -o bits.h5 -q
elbo-eval away.h5 bits.h5 --det --binarise threshold:1 -q > own.json 2> other-data
[ "$(number own.json total_bits value)" = "$(number bound.json total_bits value)" ]
echo "compress-vae: lengths, bytes and bits as promised"
