# A product that is not normalised answers log p of rows, less ln Z for their length, and refuses the rest by name.
set -u
make-data hmm-text -n 60 --length 6 --states 3 --alphabet 3 -o text.h5 -q
train-pc text.h5 -o a.h5 --hidden 2 --steps 3 -q
train-pc text.h5 -o b.h5 --hidden 3 --steps 3 -s 2 -q
multiply-pc a.h5 b.h5 -o p.h5 --normalize none -q
# all texts of two letters together have probability 1, whatever length was trained
words=() && for x in a b c; do for y in a b c; do words+=(--text "$x$y"); done; done
query-pc p.h5 --query loglik "${words[@]}" -q | jq '[.result.answers[].log_likelihood | exp] | add | . - 1 | fabs < 1e-5'
query-pc p.h5 --query loglik --text a_ -q | jq '.result.answers[0].log_likelihood < 0'
elbo-eval p.h5 text.h5 -q | jq -r '.result.log_likelihood.kind'
query-pc p.h5 --list -q | grep -v -e 'this product is not normalised' -e '^ '
try() { "$@" -q || echo "exit $?"; }
for query in marginal conditional next mpe complete viterbi anomaly expect; do
  try query-pc p.h5 --text a_ --query $query 2>&1 | sed 's/ so that.*//'
done
for query in sample validate; do try query-pc p.h5 --query $query 2>&1 | sed 's/ so that.*//'; done
try query-pc p.h5 --query export -o p.json
try elbo-eval p.h5 text.h5 --eval stream:1
try elbo-eval p.h5 text.h5 --det
try sample-model p.h5 -n 2 -o s.h5
try bits-back-encode p.h5 --dataset text.h5 -o text.lpx
try train-pc text.h5 -o no.h5 --init-model p.h5
try train-pc text.h5 -o no.h5 --init product:p.h5,a.h5
try multiply-pc p.h5 a.h5 -o no.h5
try train-pc text.h5 -o no.h5 --init product:a.h5,b.h5 --normalize none
ls s.h5 text.lpx no.h5 p.json 2> /dev/null
true
