# Rows that are drawn or filled are a table with the names of the columns and cells in their forms.
set -u
awk 'BEGIN {
  print "id,log_p,born,pay,share,age"
  for (i = 0; i < 160; i++)
    printf "%s-%d,%s,19%d-%02d-%02d,\"%d,%03d\",%d%%,%d\n", i % 7 "x", i, i % 2 ? "\"a \"\"b\"\", c\"" : "d",
      60 + i % 30, 1 + i % 12, 1 + i % 28, 1 + i % 40, i * 37 % 1000, i * 3 % 100, 20 + i * 7 % 40
}' > t.csv
pack-data csv t.csv -o t.h5 -q
train-pc t.h5 -o m.h5 --trees 1 --blocks 1 --hidden 4 --block-states 2 --epochs 10 -q > /dev/null
query-pc m.h5 --query sample -n 40 -o drawn.csv -q > /dev/null
head -n 1 drawn.csv
row='("a ""b"", c"|d),[0-9]{4}-[0-9]{2}-[0-9]{2},("-?[0-9]{1,3},[0-9]{3}"|-?[0-9]{1,3}),-?[0-9]+%,-?[0-9]+$'
grep -cE "^[0-9]+,-[0-9.]+,$row" drawn.csv
# log p of a drawn row is what the model says of it.
sed '1s/log_p_/nats/' drawn.csv > again.csv
query-pc m.h5 again.csv --query loglik -o - -q | cut -d, -f2 | paste -d, - <(cut -d, -f2 drawn.csv) |
  awk -F, 'NR > 1 { d = $1 - $2; if (d * d > 1e-6) bad++ } END { print bad + 0, "differ" }'
printf 'log_p,born,pay,share,age\nd,,,50%%,\n,1970-01-01,,,33\n' > gaps.csv
for query in 'complete -n 2' 'complete --how mean' mpe map; do
  # shellcheck disable=SC2086
  query-pc m.h5 gaps.csv --query $query -o filled.csv -q --force > /dev/null && head -n 1 filled.csv && grep -cE ",$row" filled.csv
done
query-pc m.h5 --query sample -n 1 -o - --format jsonl -q | jq -c keys
# The rows alone, to a file and to a pipe, that pack-data reads back as they are.
sample-model m.h5 -n 30 -o - -q > rows.csv && head -n 1 rows.csv
sample-model m.h5 -n 30 -o rows2.csv -q && cmp rows.csv rows2.csv && echo "the same rows"
sample-model m.h5 -n 30 -o rows.h5 -q && view-samples rows.h5 --limit 30 | cmp - rows.csv && echo "as they are seen"
query-pc m.h5 rows.csv --query loglik -q | jq .result.impossible
