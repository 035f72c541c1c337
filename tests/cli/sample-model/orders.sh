# Draws from models of orders: the same for any threads and numbers, by safer values and other policies, with the
# order of every step.
set -u
make-data hub -n 90 -o hub.h5 -q
make-data digits -n 40 --size 8 -o digits.h5 -q
train-arm hub.h5 --preset tiny --hidden 16 --steps 30 -o lo.h5 -q
train-arm hub.h5 --preset tiny --hidden 16 --steps 30 --model ao -o ao.h5 -q
train-arm digits.h5 --preset tiny --channels 4 --levels 4 --steps 4 --batch 8 -o picture.h5 -q
show() { # MODEL NAME OPTIONS...
  local model=$1 name=$2
  shift 2
  for threads in 1 4; do sample-model "$model" -n 70 -o "$name.$threads" -q -j $threads "$@"; done
  cmp "$name.1" "$name.4" && mv "$name.1" "$name.h5"
  echo "$name: $(view-samples "$name.h5" --limit 3 2> /dev/null | sha256sum | cut -c1-8)" > /dev/null
  inspect "$name.h5" --check -q | jq -c "[\"$name\", (.result.tables | map(select(.path | startswith(\"/codes/\")) | .path))]"
}
show lo.h5 plain
show lo.h5 traced --order-trace steps
show lo.h5 policies --order-trace all
show lo.h5 safe --top-p 0.5 --temperature 0.5
show lo.h5 decided --policy-top-p 0 --policy-temperature 0
show lo.h5 any --policy-override uniform
show ao.h5 parallel --parallel-steps 3
same() { cmp <(view-samples "$1" --limit "$3" | tail -n +1) <(view-samples "$2" --limit "$3" | tail -n +1); }
sample-model lo.h5 -n 40 -o few.h5 -q
same plain.h5 few.h5 40 && echo "the first 40 of 70 are those of 40"
same plain.h5 traced.h5 70 && echo "a trace changes no sample"
sample-model picture.h5 -n 2 -o p.h5 -q && inspect p.h5 -q | jq -c '[.result.attributes.levels, .result.attributes.value_max]'
# What will take long says so first.
sample-model lo.h5 -n 100000000 --dry-run -o long.h5 2>&1 | sed 's/about .*/about as long as it takes/'
sample-model lo.h5 -n 10 --dry-run -o short.h5
sample-model lo.h5 -n 100000000 --dry-run -o long.h5 -q
try() {
  sample-model "$@" -n 2 -o s2.h5 -q
  echo "$? $*"
}
try lo.h5 --top-p 1.5
try lo.h5 --top-p -0.1
try lo.h5 --temperature -1
try lo.h5 --parallel-steps 2
try ao.h5 --policy-override uniform
try lo.h5 --class 1
try lo.h5 --order-trace some
