# The same model with any number of threads, in two parts, and on vectors, symbols, reals and bits; other
# settings do not go on from its checkpoint.
set -u
make-data gray8 -n 60 -o grey.h5 -q
whole=(train-vdm grey.h5 --preset tiny --channels 4 --batch 20 --mse-rows 8 --lr-schedule constant -q)
learned=("${whole[@]}" --schedule monotone --schedule-hidden 5 --endpoint-grad boundary --dropout 0.2 --augment flip,rot90 --aug-flag)
"${learned[@]}" --steps 6 -o whole.h5
"${learned[@]}" --steps 6 -o threads.h5 -j 2
cmp whole.h5 threads.h5 && echo "the same model with two threads"
"${learned[@]}" --steps 3 -o half.h5
"${learned[@]}" --steps 6 -o half.h5 --resume --force
cmp whole.h5 half.h5 && echo "the same model in two parts"
"${learned[@]}" --steps 9 -o half.h5 --resume --force --schedule-hidden 6 || echo "exit $?"
make-data gauss -n 60 --dim 3 -o reals.h5 -q
make-data markov-text -n 60 --length 6 -o text.h5 -q
make-data digits -n 60 --size 8 -o digits.h5 -q
few=(--preset tiny --steps 5 --batch 20 --mse-rows 8 -q --force)
bits() { elbo-eval m.h5 "$1" --limit 8 -q | jq -c '[.result.log_likelihood.value | isfinite] + [.result.bits_per_dim.kind]'; }
train-vdm reals.h5 -o m.h5 "${few[@]}" && bits reals.h5
train-vdm reals.h5 -o m.h5 "${few[@]}" --net linear-gauss && bits reals.h5
train-vdm text.h5 -o m.h5 "${few[@]}" && bits text.h5
train-vdm digits.h5 -o m.h5 "${few[@]}" --binarise static --channels 4 && bits digits.h5
train-vdm digits.h5 -o m.h5 "${few[@]}" --labels --multipliers 1,2 --process ve --channels 4 && bits digits.h5
tail -n 1 m.history.jsonl | jq -c 'keys'
