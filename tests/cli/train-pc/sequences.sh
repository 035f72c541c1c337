# Messages of sequences within --memory, and steps with parameters of their own.
set -u
make-data hmm-text -n 60 --length 400 --alphabet 5 -o long.h5 -q
long=(train-pc long.h5 --factors 8,16 --epochs 1 --batch 48 --shards 1 -q)
"${long[@]}" -o all.h5 --time-checkpoint none
"${long[@]}" -o some.h5 --time-checkpoint sqrt
"${long[@]}" -o few.h5 --time-checkpoint 7
"${long[@]}" -o auto.h5
for model in some few auto; do cmp all.h5 $model.h5 && echo "$model: the same model"; done
"${long[@]}" -o little.h5 --memory 6MiB --report little.json && cmp all.h5 little.h5 && echo "in little memory: the same model"
"${long[@]}" -o auto.h5 --force --report auto.json
jq -n --slurpfile a auto.json --slurpfile l little.json '$l[0].result.planned_bytes * 2 < $a[0].result.planned_bytes'
"${long[@]}" -o no.h5 --time-checkpoint none --memory 6MiB || echo "exit $?"
"${long[@]}" -o no.h5 --memory 1MiB || echo "exit $?"
ls no.* 2> /dev/null
make-data hmm-text -n 200 --length 6 --alphabet 4 -o short.h5 -q
train-pc short.h5 -o i.h5 --hidden 3 --inhomogeneous --epochs 5 -q
inspect -q i.h5 | jq -c '.result.tables | map(select(.path | test("raw")) | [.path, .shape])'
elbo-eval i.h5 short.h5 -q | jq '.result.log_likelihood.value | isfinite'
sample-model i.h5 -n 2 -o - -q | view-samples - | wc -l
train-pc short.h5 -o no.h5 --structure mixture --inhomogeneous -q || echo "exit $?"
elbo-eval i.h5 long.h5 -q || echo "exit $?"
true
