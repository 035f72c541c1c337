# --transform ycocg-r: RGB pictures read as brightness and two differences of colour. Archives give every byte back, what
# is drawn or filled in is a colour, and what does not go with it says so.
set -eu
make-data scenes -n 40 --size 8 -o rgb.h5 -q
make-data digits -n 40 --size 8 -o grey.h5 -q
pc=(train-pc rgb.h5 --preset tiny --hidden 3 --steps 3 --batch 40 --leaf dlogistic -q)
"${pc[@]}" --transform ycocg-r -o c.h5 -j 1
"${pc[@]}" --transform ycocg-r -o c3.h5 -j 3
cmp c.h5 c3.h5 && echo "the same for one thread and three"
# Unset, it leaves no trace in a model; the leaves of colours have 256, 511 and 511 values.
"${pc[@]}" --dictionary 0 -o plain.h5
"${pc[@]}" --dictionary 0 --transform none -o none.h5
cmp plain.h5 none.h5 && echo "none is nothing"
for model in plain c; do
  echo "$model: $(inspect $model.h5 -q | jq -c '.. | objects | select(.structure? and .hidden?) | .transform' | sort -u)"
  query-pc $model.h5 --query export -o - -q | jq -c '[.variables[].cats] | group_by(.) | map([.[0], length])'
done
elbo-eval c.h5 rgb.h5 -q > e.json
jq -c '.result | [.log_likelihood.kind, .bits_per_dim.kind]' e.json
# By the numbers of the coder the same, and what is coded comes back.
elbo-eval c.h5 rgb.h5 --det -q > det.json
jq -n --slurpfile a e.json --slurpfile b det.json '$a[0].result.log_likelihood.value / $b[0].result.log_likelihood.value - 1 | fabs < 1e-4'
for options in '-j 1' '-j 3 --interleave 1'; do
  bits-back-encode c.h5 --dataset rgb.h5 -o c.lpx -q --force $options
  bits-back-decode c.h5 c.lpx -o back.npy --to npy -q --force
  pack-data npy back.npy --content image -o back.h5 -q --force
  view-samples back.h5 --rows 0:40 -o back.png -q --force
  view-samples rgb.h5 --rows 0:40 -o rgb.png -q --force
  cmp back.png rgb.png && echo "every byte comes back"
done
sample-model c.h5 -n 9 -o s.h5 -q && inspect s.h5 -q | jq -c '.. | objects | select(.levels?) | .levels' | sort -u
# Pixels are known wholly or not at all.
ask() { query-pc c.h5 rgb.h5 --rows 0:2 "$@" -q > /dev/null || echo "exit $?"; }
query-pc c.h5 rgb.h5 --rows 0:2 --known rows:0-2 --query complete -n 2 -o filled.h5 -q > /dev/null && echo filled
ask --known every:2 --query loglik
for query in marginal next anomaly map; do ask --query $query; done
ask --query complete --known rows:0-2 --how mean
try() { train-pc "$1" -o no.h5 --preset tiny -q --transform "${@:2}" || echo "exit $?"; }
try grey.h5 ycocg-r
try rgb.h5 ycocg
try rgb.h5 ycocg-r --structure quad-tree --tie-leaves all
try rgb.h5 ycocg-r --dictionary 8
try rgb.h5 ycocg-r --tie-leaves all
try rgb.h5 ycocg-r --leaf gaussian
try rgb.h5 ycocg-r --structure hmm
try rgb.h5 ycocg-r --binarise static
try rgb.h5 ycocg-r --init-model c.h5
query-pc c.h5 --query export -o c.json -q > /dev/null
train-pc rgb.h5 -o again.h5 --structure file:c.json --transform ycocg-r --steps 0 -q && echo "read back"
train-pc rgb.h5 -o no.h5 --structure file:c.json --steps 0 -q || echo "exit $?"
ls no.h5 2> /dev/null || true
