# Structures that split the variables without a look at the data: each trains, is scored exactly and answers questions.
# What splits a region in several ways has no order of coding, and says so.
set -u
make-data digits -n 60 --size 8 -o digits.h5 -q
make-data scenes -n 60 --size 8 -o rgb.h5 -q
make-data hmm-text -n 60 --length 12 -o text.h5 -q
pc() { train-pc "$1" -o "$2.h5" "${@:3}" --preset tiny --binarise static -q --force -j 1 || echo "exit $?"; }
facts() {
  query-pc "$1.h5" --query validate -q |
    jq -c --arg name "$1" '.result.answers | map({(.name): .value}) | add | [$name, .variables, .blocks, .structured_decomposable]'
}
pc digits.h5 quad-tree --structure quad-tree
pc digits.h5 quarters --structure quad-tree --splits 4
pc digits.h5 kronecker --structure quad-tree --product kronecker --hidden 3
pc digits.h5 monarch --structure quad-graph --product kronecker --factors 2,2
pc digits.h5 quad-graph --structure quad-graph
pc digits.h5 pd --structure pd
pc digits.h5 boxes --structure pd --pd-step 4
pc digits.h5 rat --structure rat --depth 3 --repetitions 2
pc digits.h5 once --structure rat --repetitions 1
pc digits.h5 ff --structure ff
for model in quad-tree quarters kronecker monarch quad-graph pd boxes rat once ff; do
  facts $model
  elbo-eval $model.h5 digits.h5 -q | jq -r '.result.log_likelihood.kind'
  query-pc $model.h5 digits.h5 --known every:2 --query complete --rows 0:2 -o filled.h5 -q --force > /dev/null || echo "exit $?"
  if bits-back-encode $model.h5 --dataset digits.h5 -o $model.lpx --force -q; then echo "codes"; else echo "exit $?"; fi
done 2>&1
# The seed draws the halves; the same one, the same bytes for any number of threads.
pc digits.h5 again --structure rat --depth 3 --repetitions 2 -j 3
cmp rat.h5 again.h5 && echo "the same for one thread and three"
regions() { query-pc "$1.h5" --query export -o - -q | jq -c '[.blocks[] | select(.type == "product") | .children]'; }
pc digits.h5 other --structure rat --depth 3 --repetitions 2 --seed 2
[ "$(regions rat)" = "$(regions again)" ] && [ "$(regions rat)" != "$(regions other)" ] && echo "the seed draws the halves"
# Pixels of a channel, or all, share their leaves.
tied() {
  train-pc rgb.h5 -o t.h5 --structure "$1" --tie-leaves "$2" "${@:3}" --preset tiny --leaf dlogistic --steps 1 -q --force 2> said || cat said
  query-pc t.h5 --query export -o - -q | jq -c '[.blocks[] | select(.type == "leaf" and (.tied_to | not))] | length'
}
for structure in quad-graph pd hclt; do for which in none channel all; do tied $structure $which; done; done | paste -sd ' '
tied quad-tree channel --transform ycocg-r
# What does not go together.
try() { train-pc "$@" -o no.h5 --preset tiny -q || echo "exit $?"; }
for structure in quad-tree quad-graph pd; do try text.h5 --structure $structure; done
try digits.h5 --structure quad
try digits.h5 --structure quad-graph --splits 4
try digits.h5 --structure quad-tree --splits 3
try digits.h5 --structure quad-tree --pd-step 2
try digits.h5 --structure pd --pd-step 0
try digits.h5 --structure pd --depth 2
try digits.h5 --structure hclt --product kronecker
try digits.h5 --structure ff --hidden 4
try digits.h5 --structure ff --factors 2,2
try digits.h5 --structure quad-tree --splits 4 --product kronecker --hidden 256
try digits.h5 --structure rat --repetitions 60000
try text.h5 --structure rat --tie-leaves channel
try rgb.h5 --structure quad-tree --tie-leaves all --transform ycocg-r
make-data digits -n 20 -o large.h5 -q
try large.h5 --structure pd --pd-step 1
try large.h5 --structure quad-graph --product kronecker --hidden 500 --memory 1GiB
ls no.* 2> /dev/null
true
