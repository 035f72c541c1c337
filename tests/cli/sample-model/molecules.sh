# Molecules drawn from a model of orders: their numbers of atoms first, the same for any threads and however many.
set -u
make-data molecules --min-atoms 2 --max-atoms 4 -n 80 -o mol.h5 -q
train-arm mol.h5 --preset tiny --steps 30 -o lo.h5 -q
train-arm mol.h5 --preset tiny --steps 30 --model ao -o ao.h5 -q
draw() { sample-model "$@" -q --force; }
draw lo.h5 -n 200 -o many.h5 && draw lo.h5 -n 70 -o few.h5
diff <(view-samples many.h5 --as graph --limit 70) <(view-samples few.h5 --as graph) && echo "the first 70 of 200"
draw lo.h5 -n 200 -o threads.h5 -j 4
[ "$(inspect many.h5 -q | jq .result.attributes.content_hash)" = "$(inspect threads.h5 -q | jq .result.attributes.content_hash)" ] && echo "the same with four threads"
inspect many.h5 --check -q > /dev/null && echo "sound"
atoms() { view-samples "$1" --as graph | awk -F '  ' '{ print split($1, a, " ") }' | sort -n | uniq -c | awk '{ print $2 ":" ($1 > 0) }' | xargs; }
atoms many.h5
for wanted in 3 2:3 4; do draw lo.h5 -n 40 --n-atoms $wanted -o some.h5 && atoms some.h5; done
for policy in uniform biased; do draw lo.h5 -n 4 --n-atoms 3 --policy-override $policy --order-trace steps -o $policy.h5 && inspect $policy.h5 --check -q > /dev/null && echo $policy; done
view-samples biased.h5 --as graph | awk -F '  ' '{ print split($1, a, " ") }' | xargs
draw lo.h5 -n 3 --top-p 0 --policy-top-p 0 --n-atoms 2 -o greedy.h5 && view-samples greedy.h5 --as graph | sort -u | wc -l
draw ao.h5 -n 3 --parallel-steps 2 -o parallel.h5 && inspect parallel.h5 --check -q > /dev/null && echo parallel
draw lo.h5 --given mol.h5:test --known every:2 --index 0:3 -n 2 -o filled.h5
diff <(view-samples mol.h5:test --as graph --limit 3 | awk -F '  ' '{ print split($1, a, " ") }' | sed p) <(view-samples filled.h5 --as graph | awk -F '  ' '{ print split($1, a, " ") }') && echo "completed"
make-data molecules --min-atoms 2 --max-atoms 3 -n 20 -o narrow.h5 -q
train-arm narrow.h5 --preset tiny --steps 2 -o three.h5 -q
draw three.h5 --given narrow.h5 --known every:2 --index 0:1 -n 2 --infill exact -o exact.h5 || echo "exit $?"
try() { sample-model "$@" -o bad.h5 -q || echo "exit $?"; }
try lo.h5 --n-atoms 5
try lo.h5 --n-atoms 0
try lo.h5 --n-atoms 3:2
try lo.h5 --n-atoms a:b
try lo.h5 --top-p 1.5
try lo.h5 --given mol.h5:test --known every:2 --n-atoms 3
make-data hub -n 40 -o hub.h5 -q
train-arm hub.h5 --preset tiny --hidden 8 --steps 2 -o plain.h5 -q
try plain.h5 --n-atoms 3
try plain.h5 --policy-override biased
try lo.h5 --given narrow.h5 --known every:2
ls bad.* 2> /dev/null
true
