# The same model with any number of threads, in two parts, in every way to an order; other settings
# do not go on from its checkpoint.
set -u
make-data hub -n 60 -o hub.h5 -q
make-data digits -n 40 --size 8 -o digits.h5 -q
echo '7 6 5 4 3 2 1 0' > back.txt
echo '1 1 0 0 0 0 0 0' > groups.txt
whole=(train-arm hub.h5 --preset tiny --hidden 16,8 --batch 20 --lr 1e-3 --lr-schedule constant -q)
same() {
  "${whole[@]}" "$@" --steps 6 -o whole.h5 --force
  "${whole[@]}" "$@" --steps 6 -o threads.h5 -j 2 --force
  cmp whole.h5 threads.h5 && echo "the same model with two threads"
  rm -f half.*
  "${whole[@]}" "$@" --steps 3 -o half.h5
  "${whole[@]}" "$@" --steps 6 -o half.h5 --resume --force
  cmp whole.h5 half.h5 && echo "the same model in two parts"
}
same --warmup-uniform 2 --q-entropy 1:4 --kl-weight 0.5:3 --score-clip 2
same --paths 3 --score-clip 2
same --policy entropy --variational shared --i-sampling iid
same --model ao
same --model biased --groups groups.txt
same --model fixed --order back.txt
"${whole[@]}" --model fixed --order back.txt --steps 9 -o half.h5 --resume --force --activation tanh || echo "exit $?"
echo '6 7 5 4 3 2 1 0' > back.txt
"${whole[@]}" --model fixed --order back.txt --steps 9 -o half.h5 --resume --force || echo "exit $?"
pictures=(train-arm digits.h5 --preset tiny --channels 4 --batch 8 --steps 3 -q --force)
"${pictures[@]}" --levels 4 -o m.h5 && elbo-eval m.h5 digits.h5 --limit 4 -q | jq -c '[.result.bits_per_dim.value < 4, .result.bits_per_dim.kind]'
"${pictures[@]}" --binarise static -o m.h5 && elbo-eval m.h5 digits.h5 --limit 4 -q | jq -c '[.result.bits_per_dim.value < 2, .result.bits_per_dim.kind]'
tail -n 1 whole.history.jsonl | jq -c 'keys'
train-arm hub.h5 --preset tiny --hidden 8 --steps 3 --lr 1e-3 -o lo.h5 -q && tail -n 1 lo.history.jsonl | jq -c 'keys'
