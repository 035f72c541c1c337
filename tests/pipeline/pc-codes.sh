# Text and pictures by circuits: as long as their exact log p(x) says, the same archive everywhere, and back.
. "$(dirname "$0")/shared/report-number"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# shellcheck disable=SC2086
export SOURCE_DATE_EPOCH=0
make-data hmm-text -n 400 --length 100 -o rows.h5 -q
view-samples rows.h5 --rows 0:400 -q | tr -d '\n' > text
pack-data text text --alphabet bytes -o text.h5 -q
make-data digits -n 400 --size 8 --split train:400 -o digits.h5 -q

# The archive, its message alone, against log p(x) by the fast numbers, and by the coder's.
as_long_as() { # NAME REPORT
  awk -v coded="$(number code.json coded bits)" -v nats="$(number "$2" log_likelihood value)" \
    -v rows="$(number "$2" log_likelihood n)" \
    'BEGIN { bits = -rows * nats / log(2); exit !(coded > 0.999 * bits && coded < 1.005 * bits + 100) }' ||
    { echo "$1: $(number code.json coded bits) bits, $2 a mean of $(number "$2" log_likelihood value) nats"; exit 1; }
}
check() { # NAME DATA CODED OPTIONS...: of train-pc
  local name=$1 data=$2 isa
  local coded=$3
  shift 3
  train-pc "$data" -o model.h5 --preset tiny --steps 60 "$@" -q --force
  elbo-eval model.h5 "$data" -q > fast.json 2> own-data
  elbo-eval model.h5 "$data" --det -q > coder.json 2> own-data
  bits-back-encode --effort fast model.h5 $coded -o one.lpx --report code.json -q --force -j 1
  as_long_as "$name" fast.json
  as_long_as "$name" coder.json
  grep -A1 '"fallback": {' code.json | grep -q '"blocks": 0,' || { echo "$name: blocks without the model"; exit 1; }
  bits-back-encode --effort fast model.h5 $coded -o other.lpx -q --force -j 4
  cmp one.lpx other.lpx || { echo "$name: 4 threads"; exit 1; }
  bits-back-encode --fallback-only $coded -o plain.lpx -q --force
  bits-back-decode plain.lpx -o plain -q --force
  for isa in $ISAS; do
    LOGPX_ISA=$isa bits-back-encode --effort fast model.h5 $coded -o other.lpx -q --force
    cmp one.lpx other.lpx || { echo "$name: $isa"; exit 1; }
    LOGPX_ISA=$isa bits-back-decode model.h5 one.lpx -o back -q --force
    [ "$name" = bits ] || cmp plain back || { echo "$name: decoded by $isa"; exit 1; }
  done
  bits-back-encode --effort fast model.h5 $coded --embed-model -o whole.lpx -q --force
  mv model.h5 away.h5
  bits-back-decode --trust-embedded-model whole.lpx -o again -q --force
  cmp back again || { echo "$name: by the embedded model"; exit 1; }
}
check dense text.h5 text --hidden 12
check monarch text.h5 text --factors 4,4,2
check tree digits.h5:train "--dataset digits.h5:train" --structure hclt --hidden 6
check bits digits.h5:train "--dataset digits.h5:train" --structure hclt --factors 2,3 --program 1,2,1 --binarise static
check mixture digits.h5:train "--dataset digits.h5:train" --structure mixture --hidden 9

# Windows in step change the order of what is coded, and neither its length by more than a few bytes nor the text.
train-pc text.h5 -o model.h5 --preset tiny --steps 60 -q --force
for options in '--interleave 1' '--interleave 64' '--interleave 1 --carry' '--carry'; do
  # shellcheck disable=SC2086
  bits-back-encode --effort fast model.h5 text $options -o "step$options.lpx" -q
  bits-back-decode model.h5 "step$options.lpx" -o "back$options" -q
  cmp text "back$options" || { echo "$options: another text"; exit 1; }
done
size() { wc -c < "step$1.lpx"; }
awk -v a="$(size '--interleave 1')" -v b="$(size '--interleave 64')" 'BEGIN { exit !(a - b < 8 && b - a < 8) }' ||
  { echo "interleave changes the size"; exit 1; }
[ "$(size '--interleave 1 --carry')" -lt "$(size '--interleave 1')" ] || { echo "carrying on does not pay"; exit 1; }
echo "pc-codes: lengths and bytes as promised"
