# Penalties of curves are a term of the history, and prune-prior finds more to leave out after them.
make-data digits -n 120 --size 8 -o digits.h5 -q
fit() { fit-prior digits.h5 -o "$1.h5" --preset tiny --steps 100 -q "${@:2}" || echo "exit $?"; }
fit plain
fit small --lambda-reg 0.3 --mu-entropy 2
jq -c 'has("regulariser")' plain.history.jsonl small.history.jsonl | sort | uniq -c | sed 's/^ *//'
gone() { prune-prior "$1.h5" -o "$1.p.h5" --json -q | jq '[.result.pruned.layers[].edges_gone] | add'; }
[ "$(gone small)" -gt "$(gone plain)" ] || echo "pruned: $(gone plain), then $(gone small)"
fit no --lambda-reg 1 --reg-targets generator --generator mlp
fit no --lambda-reg=-1
ls no.h5 2> /dev/null
true
