# Evidence that makes no sense is refused, and the words say what would.
set -u
awk 'BEGIN { srand(5); print "job,age,when,a,b"
  for (i = 0; i < 400; ++i) { k = rand() < 0.5; a = 3 * k + rand() + rand()
    printf "%s,%d,%02d/03/2021,%.3f,%.3f\n", k ? "clerk" : "nurse", 30 + 9 * k + int(40 * rand()), 1 + int(28 * rand()), a, 2 * a + rand() } }' > t.csv
pack-data csv t.csv --type 'when=date:%d/%m/%Y' -o t.h5 -q
train-pc t.h5 -o m.h5 --structure hclt --hidden 3 --em-rule full --steps 5 -q > /dev/null
make-data hmm-text -n 60 --length 8 -o text.h5 -q
train-pc text.h5 -o text.m.h5 --hidden 2 --epochs 1 -q > /dev/null
given() { query-pc m.h5 --query loglik --given "$1" -q > /dev/null || echo "exit $?"; }
given 'age>=60,age<40'
given 'age>41,age<42'
given jbo=clerk
given job=clark
given 'job>=clerk'
given 'age>=forty'
given age=40.5
given 'when>=3'
given age
given 'age='
given 'age>=3|4'
given 'a=1|2'
given 'job=clerk,job=nurse'
given 'age=40,age>50'
given 'job="clerk'
try() { query-pc "$@" -q > /dev/null || echo "exit $?"; }
try m.h5 --query probability
try m.h5 --query probability a=1
try m.h5 t.csv 'age>40' --query loglik
try m.h5 --query next --given job=clerk
try text.m.h5 --query loglik --given job=clerk
try text.m.h5 --query probability job=clerk
try m.h5 t.csv --known age,jbo
try m.h5 t.csv --known cols:1-2
echo "evidence that no row has" >&2
cat > sure.json << 'END'
{"variables": [{"name": "x0", "cats": 2}, {"name": "x1", "cats": 2}], "root": "root", "blocks": [
 {"id": "a", "type": "leaf", "var": 0, "dist": "categorical", "size": 1, "params": [[1, 0]]},
 {"id": "b", "type": "leaf", "var": 1, "dist": "categorical", "size": 1, "params": [[0.5, 0.5]]},
 {"id": "root", "type": "product", "op": "hadamard", "children": ["a", "b"]}]}
END
{ for _ in $(seq 20); do printf '0,0\n0,1\n'; done; echo 1,1; } > s.csv
pack-data csv s.csv --no-header -o s.h5 -q
train-pc s.h5 -o s.m.h5 --structure file:sure.json --steps 0 -q > /dev/null 2>&1
for query in marginal conditional expect complete sample mpe map; do
  try s.m.h5 --query $query --given x0=1
done
try s.m.h5 --query probability x1=1 --given x0=1
try s.m.h5 --query marginal --given 'x0>=7'
# log p of it, and p of an event, are answers.
query-pc s.m.h5 --query loglik --given x0=1 -o - -q
query-pc s.m.h5 --query probability x0=1 -o - -q
query-pc s.m.h5 --query probability 'x0<1' --given x1=1 -o - -q
# Two ranges of one gaussian over several columns are one too many.
cat > joint.json << 'END'
{"variables": [{"name": "a"}, {"name": "b"}, {"name": "c"}], "root": "root", "blocks": [
 {"id": "ab", "type": "leaf", "vars": [0, 1], "dist": "gaussian", "size": 1, "params": [[0, 0, 1, 0.5, 1]]},
 {"id": "c", "type": "leaf", "var": 2, "dist": "gaussian", "size": 1, "params": [[0, 1]]},
 {"id": "root", "type": "product", "op": "hadamard", "children": ["ab", "c"]}]}
END
awk 'BEGIN { print "a,b,c"; for (i = 0; i < 40; ++i) printf "%.2f,%.2f,%.2f\n", i / 10 - 2, (i * 7 % 40) / 10 - 2, (i * 11 % 40) / 10 - 2 }' > r.csv
pack-data csv r.csv -o r.h5 -q
train-pc r.h5 -o r.m.h5 --structure file:joint.json --steps 0 -q > /dev/null
try r.m.h5 --query marginal --given 'a>0,b>0'
try r.m.h5 --query probability 'a>0' --given 'b>0'
query-pc r.m.h5 --query probability 'a>0' --given 'b=0,c>0' -o - -q | awk -F, 'NR > 1 { printf "%.9f\n", $3 }'
query-pc r.m.h5 --query probability 'a>0,c>0' -o - -q | awk -F, 'NR > 1 { printf "%.9f\n", $3 }'
