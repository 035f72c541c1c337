# Leaves: real numbers, mixed tables with holes, a distribution for each variable; what does not fit is refused.
set -u
try() { train-pc "$@" -q --force || echo "exit $?"; }
score() { elbo-eval "$1" "$2" -q 2> /dev/null | jq '.result.log_likelihood.value'; }
make-data gauss -n 400 -o g.h5 -q
try g.h5 -o g.m.h5 --hidden 4 --epochs 10
elbo-eval g.m.h5 g.h5 -q 2> /dev/null | jq -c '.result.gap_to_truth.value | . > -0.5 and . < 1'
awk 'BEGIN { print "n,size,kind,hole"; for (i = 0; i < 200; i++) { z = (i * 7 % 10) < 4; u = (i * 37 % 101) / 101
  print int(5 * u) + 2 * z "," 100 + 40 * z + 5 * u "," z "," (i % 9 ? u + z : "") } }' > t.csv
pack-data csv t.csv -o t.h5 -q --missing keep
pack-data csv t.csv -o unit.h5 -q --missing keep --standardise
for data in t unit; do try $data.h5 -o $data.m.h5 --structure hclt --hidden 3 --epochs 10; done
jq -n "$(score t.m.h5 t.h5) - $(score unit.m.h5 unit.h5) | . * . < 1e-4"
sample-model unit.m.h5 -n 200 -o draws.h5 -q
view-samples draws.h5 --limit 200 | awk -F, 'NR > 1 { whole += $1 == int($1); size += $2 }
  END { print whole; s = size / (NR - 1); print (s > 105 && s < 130) ? "sizes as they were" : s }'
echo '{"size": "gaussian", "0": "binomial", "kind": "categorical"}' > leaves.json
try t.h5 -o f.m.h5 --hidden 3 --epochs 10 --leaf leaves.json
inspect f.m.h5 -q | jq -c '.result.tables | map(.path) | map(select(test("leaf")))'
make-data digits -n 60 --size 8 -o d.h5 -q
for leaf in categorical binomial dlogistic gaussian; do
  try d.h5 -o 1.h5 --hidden 2 --epochs 2 --leaf $leaf
  try d.h5 -o 2.h5 --hidden 2 --epochs 2 --leaf $leaf -j 2
  cmp 1.h5 2.h5 && jq -n "$(score 1.h5 d.h5:train) | isfinite"
done
# Two halves of one normal distribution are that distribution.
cat > two.json << 'END'
{"variables": [{"name": "a"}], "root": "r", "blocks": [
  {"id": "a", "type": "leaf", "dist": "gaussian", "var": 0, "params": [[0, 1], [0, 1]]},
  {"id": "r", "type": "sum", "children": ["a"], "weights": [[0.5, 0.5]]}]}
END
printf 'a\n0\n0\n' > zero.csv && pack-data csv zero.csv -o zero.h5 -q
try zero.h5 -o z.h5 --structure file:two.json --steps 0
score z.h5 zero.h5 | cut -c 1-9
sed 's/\[0, 1\], /[0, -1], /' two.json > negative.json && try zero.h5 -o no.h5 --structure file:negative.json
sed 's/gaussian/binomial/' two.json > whole.json && try zero.h5 -o no.h5 --structure file:whole.json
sed 's/gaussian/poisson/' two.json > other.json && try zero.h5 -o no.h5 --structure file:other.json
try g.h5 -o no.h5 --leaf binomial
try d.h5 -o no.h5 --leaf bernoulli
try d.h5 -o no.h5 --leaf cauchy
try t.h5 -o no.h5 --leaf none.json
echo '{"depth": "gaussian"}' > wrong.json && try t.h5 -o no.h5 --leaf wrong.json
echo '{"size": "cauchy"}' > wrong.json && try t.h5 -o no.h5 --leaf wrong.json
echo '[]' > wrong.json && try t.h5 -o no.h5 --leaf wrong.json
# Words beside real numbers: --leaf is about the numbers; tied leaves need variables of one kind.
awk 'BEGIN { print "kind,size"; for (i = 0; i < 200; i++) print (i % 3 ? "cat," : "dog,") i * 37 % 101 / 10 }' > mixed.csv
pack-data csv mixed.csv --categorical auto -o mixed.h5 -q
for leaf in auto gaussian; do
  try mixed.h5 -o mixed.m.h5 --structure hclt --hidden 2 --epochs 5 --leaf $leaf
  inspect mixed.m.h5 -q | jq -c '[.result.tables[] | select(.path | test("leaf")) | [.path, .shape]]'
done
sample-model mixed.m.h5 -n 5 -o mixed.s.h5 -q && view-samples mixed.s.h5 | grep -cE '^(cat|dog),-?[0-9.]+$'
try mixed.h5 -o no.h5 --leaf dlogistic
try mixed.h5 -o no.h5 --tie-leaves all
echo '{"kind": "gaussian"}' > wrong.json && try mixed.h5 -o no.h5 --leaf wrong.json
ls no.* 2> /dev/null
true
