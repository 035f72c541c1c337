# Answers agree with each other and with elbo-eval; any number of threads gives the same bytes.
set -eu
. "$CLI_TESTS/query-pc/inputs"
elbo-eval m.h5 text.h5 --per-example scores.csv -q > /dev/null
query-pc m.h5 text.h5 --query loglik -o loglik.csv -q > /dev/null
paste -d, scores.csv loglik.csv | awk -F, 'NR > 1 { d = $2 - $4; if (d * d > 1e-8) bad = 1 }
  END { print NR - 1, bad ? "differ" : "rows as elbo-eval has them" }'
query-pc m.h5 --query marginal --text 'ab_a' -q | jq -e '[.result.answers[].p] | (add - 1) * (add - 1) < 1e-20'
# p(m | o) = p(m, o) / p(o), by likelihoods alone.
query-pc m.h5 --query marginal --text 'ab_a' -o p.csv -q > /dev/null
whole=$(query-pc m.h5 --query loglik --text 'abba' -q | jq '.result.answers[0].log_likelihood')
given=$(query-pc m.h5 --query loglik --text 'ab_a' -q | jq '.result.answers[0].log_likelihood')
awk -F, -v whole="$whole" -v given="$given" '$3 == "b" { d = log($4) - (whole - given); print d * d < 1e-12 ? "conditionals are ratios" : "wrong" }' p.csv
query-pc m.h5 --query complete --how mpe --text 'a__b' --text '____' -q | jq -c '.result.answers | map(.filled | length)'
query-pc m.h5 --query complete -n 3 --text 'a__b' -q | jq -r '.result.answers[].filled | test("^a..b$")'
query-pc m.h5 --query viterbi --text 'abab' -q | jq -c '[.result.answers[].step]'
query-pc m.h5 text.h5 --query anomaly -o odd.jsonl -q > /dev/null
jq -s -c '[length, (.[0] | keys | length), all(.[]; .x0 >= 0)]' odd.jsonl
for threads in 1 2; do
  query-pc m.h5 text.h5 --query complete -n 2 -j $threads -o $threads.h5 -q > /dev/null
  query-pc m.h5 text.h5 --query anomaly -j $threads -o $threads.csv -q > /dev/null
done
cmp 1.csv 2.csv && [ "$(inspect -q --hash 1.h5)" = "$(inspect -q --hash 2.h5)" ] && echo "same bytes"
view-samples 1.h5 --limit 2 | wc -l
# Grey pictures that the model reads as bits.
make-data digits -n 40 --size 8 -o d.h5 -q
train-pc d.h5 -o b.h5 --structure hclt --hidden 2 --epochs 1 --binarise static -q > /dev/null
query-pc b.h5 d.h5 --query anomaly -o bits.jsonl -q > /dev/null
jq -s -c '[(.[0] | keys | length), all(.[]; [.[]] | all(. != null)), ([.[] | .x27] | max < 100)]' bits.jsonl
query-pc b.h5 d.h5 --query complete -o whole.h5 -q > /dev/null
inspect -q whole.h5 | jq -c '.result.kind'
