# --prune-states of loglik: the bound that elbo-eval has, and every line says what it is.
set -eu
. "$CLI_TESTS/query-pc/inputs"
query-pc m.h5 text.h5 --query loglik -q | jq -r '.result.kind'
query-pc m.h5 text.h5 --query loglik --prune-states 0.4 -q | jq -c '.result | [.kind, (.answers[0] | keys)]'
elbo-eval m.h5 text.h5 --prune-states 0.4 --per-example scores.csv -q > /dev/null
for exec in dense sparse; do
  query-pc m.h5 text.h5 --query loglik --prune-states 0.4 --prune-exec $exec -o $exec.csv -q > /dev/null
  paste -d, scores.csv $exec.csv | awk -F, 'NR > 1 { d = $2 - $4; if (d * d > 1e-8) bad = 1; kinds[$6] = 1 }
    END { for (kind in kinds) print NR - 1, bad ? "differ" : "rows as elbo-eval has them", kind }'
done
query-pc m.h5 --query loglik --text ab_a --prune-states 0.4 -o - -q | cut -d, -f1,4
query-pc m.h5 text.h5 --query anomaly --prune-states 0.4 -q || echo "exit $?"
query-pc m.h5 text.h5 --query loglik --prune-states 1 -q || echo "exit $?"
query-pc m.h5 text.h5 --query loglik --prune-scope all -q || echo "exit $?"
