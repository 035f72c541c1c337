# Grey pictures have styles and a dictionary: the same bytes for any number of threads and after a break, an exact log p,
# draws, and pictures completed. With 32 levels and fewer leaves have values of their own.
set -eu
make-data digits -n 200 --size 8 -o grey.h5 -q
whole=(train-pc grey.h5 --preset tiny --hidden 4 --batch 50 --styles 3 --dictionary 24 --peak-elements 2
  --broad-elements 6 --least-varied 0.05 --lr-schedule constant --lr 0.5 -q)
"${whole[@]}" --steps 8 -o a.h5 -j 1
"${whole[@]}" --steps 8 -o b.h5 -j 3
cmp a.h5 b.h5 && echo "the same for one thread and three"
"${whole[@]}" --steps 4 -o c.h5 --resume
"${whole[@]}" --steps 8 -o c.h5 --resume --force
cmp a.h5 c.h5 && echo "the same after a break"
inspect a.h5 -q | grep -oE 'raw/(grey.[0-9]+|styles)/[a-z]*'
elbo-eval a.h5 grey.h5 -q | jq -r '.result.log_likelihood.kind'
sample-model a.h5 -n 3 -o s.h5 -q && echo drawn
make-data digits -n 500 --size 8 -o more.h5 -q
train-pc more.h5 --preset tiny --steps 2 --hidden 3 -o d.h5 -q
inspect d.h5 -q | jq -c '.. | objects | select(.dictionary?) | [.dictionary, .styles]' | sort -u
make-data tree -n 100 --dim 6 -o table.h5 -q
train-pc table.h5 --preset tiny --steps 2 -o e.h5 -q
inspect e.h5 -q | grep -c 'styles/' || true
# As text, and back: the same circuit with the same styles.
query-pc a.h5 --query export -o a.json -q > /dev/null
train-pc grey.h5 -o again.h5 --structure file:a.json --steps 0 -q > /dev/null
query-pc again.h5 --query export -o again.json -q > /dev/null && cmp a.json again.json && echo "read back"
score() { elbo-eval "$1" grey.h5 -q 2> /dev/null | jq '.result.log_likelihood.value'; }
[ "$(score a.h5)" = "$(score again.h5)" ] && echo "as likely"
# Styles that the file does not give are learned; wrong ones are refused.
jq -c 'del(.style_prior, .style_values)' a.json > without.json
train-pc grey.h5 -o f.h5 --structure file:without.json --steps 0 -q > /dev/null && inspect f.h5 -q | grep -c 'raw/styles/'
for wrong in '.style_prior[0] += 0.5' '.style_prior[0] = -1' '.style_values |= .[1:]' 'del(.style_values)'; do
  jq -c "$wrong" a.json > wrong.json
  train-pc grey.h5 -o no.h5 --structure file:wrong.json --steps 0 -q 2> error || echo "exit $?"
  sed 's/line [0-9]*/line N/' error >&2
done
# Restarts draw elements and weights again; the styles are those of the first run.
again=("${whole[@]}" --restarts 2 --steps 6 --valid grey.h5)
"${again[@]}" -o r1.h5 -j 1 --report r.json
"${again[@]}" -o r3.h5 -j 3
cmp r1.h5 r3.h5 && echo "the same for one thread and three"
jq '.result.steps' r.json
"${whole[@]}" --steps 6 --valid grey.h5 -o one.h5
jq -n "$(score r1.h5) >= $(score one.h5)"
