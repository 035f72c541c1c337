# --eval stream:S: rows are S long sequences, one behind the other; a circuit carries its state over.
set -u
make-data hmm-text -n 120 --length 12 --states 3 --alphabet 5 --split train:120 -o text.h5 -q
train-pc text.h5 -o m.h5 --hidden 3 --epochs 4 --batch 30 -q
score() { elbo-eval m.h5 text.h5 -q "$@" 2> /dev/null | jq '.result.log_likelihood.value'; }
report() { elbo-eval m.h5 text.h5 -q "$@" 2> /dev/null | jq -c '.result | [.exact.eval, has("gap_to_truth")]'; }
report
report --eval stream:3
# As many streams as rows are the rows themselves; one stream over one row, too.
jq -n "$(score) - $(score --eval stream:120) | . * . < 1e-8"
jq -n "$(score --eval stream:500) - $(score --eval stream:120) | . * . < 1e-8"
[ "$(score --eval stream:7)" = "$(score --eval stream:7 -j 2)" ] && echo "the same for two threads"
jq -n "$(score --eval stream:1) != $(score)"
# The state is known at the second row, and its first symbol is likelier on average: the model is one of long text.
elbo-eval m.h5 text.h5 -q --eval stream:1 --limit 1 2> /dev/null | jq '.result.log_likelihood.n'
make-data digits -n 20 --size 8 -o d.h5 -q
train-pc d.h5 -o t.h5 --hidden 2 --epochs 1 --binarise static -q
elbo-eval t.h5 d.h5 --eval stream:2 -q > /dev/null || echo "exit $?"
elbo-eval m.h5 text.h5 --eval stream:0 -q > /dev/null || echo "exit $?"
elbo-eval m.h5 text.h5 --eval whole -q > /dev/null || echo "exit $?"
