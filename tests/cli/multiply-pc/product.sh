# p(x) = p_a(x) p_b(x) / Z: pushed through the sums of a tree exactly, for chains but for the ends of sequences.
set -eu
nats() { elbo-eval "$1" "$2" -q | jq '.result.log_likelihood.value'; }
# log p of the product, less those of the factors, plus ln Z: 0 but for single precision
rest() { jq -n "$(nats "$1" "$4") - $(nats "$2" "$4") - $(nats "$3" "$4") + $(jq .result.ln_z.value "$5")"; }
make-data tree -n 100 --dim 5 -o table.h5 -q
train-pc table.h5 -o t.h5 --structure hclt --hidden 2 --steps 5 -q
train-pc table.h5 -o u.h5 --structure hclt --factors 2,2 --steps 5 -s 2 -q
multiply-pc t.h5 u.h5 -o tu.h5 --json -q > tu.json
jq -c '.result | [.normalize, .sizes, .hidden, .factors, .edges, .ln_z.kind, .ln_z.steps]' tu.json
jq -n "$(rest tu.h5 t.h5 u.h5 table.h5 tu.json) | fabs < 1e-4"
jq -c '[.inputs[].role, .outputs[].role]' tu.json
make-data hmm-text -n 60 --length 40 --states 3 --alphabet 5 -o text.h5 -q
for i in 1 2 3; do train-pc text.h5 -o h$i.h5 --hidden $i --steps 5 -s $i -q; done
multiply-pc h2.h5 h3.h5 -o p.h5 --json -q > p.json
jq -c '.result | [.normalize, .sizes, .hidden, .factors, .edges, .ln_z.steps]' p.json
jq -n "$(rest p.h5 h2.h5 h3.h5 text.h5 p.json) | fabs < 0.5"
multiply-pc h2.h5 h3.h5 -o exact.h5 --normalize none --json -q > exact.json
jq -n "$(rest exact.h5 h2.h5 h3.h5 text.h5 exact.json) | fabs < 1e-4"
multiply-pc h1.h5 h2.h5 h3.h5 h2.h5 -o four.h5 --json -q | jq -c '.result | [.sizes, .hidden, .factors]'
# a Monarch factor brings all its layers; every tool reads what comes out
train-pc text.h5 -o m.h5 --factors 2,2 --program 1,2,1 --steps 2 -q
multiply-pc m.h5 h3.h5 -o mh.h5 --json -q | jq -c '.result | [.hidden, .factors, .edges]'
inspect mh.h5 -q | grep -c '"1,2,1,3"'
sample-model mh.h5 -n 3 -o s.h5 -q
query-pc mh.h5 --query complete --text 'a_b' -q | jq '.result.lines'
bits-back-encode mh.h5 --dataset text.h5 -o text.lpx -q
bits-back-decode mh.h5 text.lpx -o back.idx -q && echo "and back"
multiply-pc h2.h5 h3.h5 -o never.h5 --dry-run
multiply-pc h2.h5 h3.h5 -o said.h5
ls never.h5 2> /dev/null || echo "nothing is written by --dry-run"
