# --algorithm gradient: logits by an optimiser; what only one of the two ways reads is refused with the other.
set -u
make-data hmm-text -n 120 --length 16 --states 3 --alphabet 5 -o text.h5 -q
go=(train-pc text.h5 --hidden 3 --batch 30 --algorithm gradient -q)
score() { elbo-eval "$1" text.h5 -q 2> /dev/null | jq '.result.log_likelihood.value'; }
"${go[@]}" --steps 0 -o first.h5
"${go[@]}" --epochs 40 -o last.h5
jq -n "$(score last.h5) > $(score first.h5) + 1"
"${go[@]}" --epochs 40 -o threads.h5 -j 2
cmp last.h5 threads.h5 && echo "the same model with two threads"
"${go[@]}" --steps 8 --lr-schedule constant -o whole.h5 --optimizer sgd --lr 0.5 --clip-norm 1
"${go[@]}" --steps 4 --lr-schedule constant -o half.h5 --optimizer sgd --lr 0.5 --clip-norm 1
"${go[@]}" --steps 8 --lr-schedule constant -o half.h5 --optimizer sgd --lr 0.5 --clip-norm 1 --resume --force
cmp whole.h5 half.h5 && echo "the same model in two parts"
"${go[@]}" --epochs 2 --restarts 2 --lr 2 -o restarts.h5
tail -n 1 last.history.jsonl | jq -c 'keys'
"${go[@]}" -o no.h5 --em-rule full || echo "exit $?"
"${go[@]}" -o no.h5 --pseudocount 1 || echo "exit $?"
"${go[@]}" -o no.h5 --ema 0.9 || echo "exit $?"
"${go[@]}" -o no.h5 --leaf binomial || echo "exit $?"
train-pc text.h5 -o no.h5 --clip-norm 1 -q || echo "exit $?"
train-pc text.h5 -o no.h5 --beta1 0.5 -q || echo "exit $?"
ls no.* 2> /dev/null
true
