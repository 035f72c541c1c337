# Filled and drawn cells are written as their columns are: whole numbers stay whole, dates are dates.
set -u
awk 'BEGIN {
  print "\"\",job,born,seen,pay,share,account,rate"
  for (i = 0; i < 120; i++)
    printf "%d,%s,19%d-%02d-%02d,2024-01-%02dT%02d:30:00,\"%d,%03d\",%d%%,1000000000%05d,%d.%02d\n",
      i, i % 3 ? "clerk" : "nurse", 60 + i % 30, 1 + i % 12, 1 + i % 28, 1 + i % 28, i % 24, 1 + i % 40, i * 37 % 1000,
      i * 3 % 100, i * i, i % 9, i * 7 % 100
}' > t.csv
pack-data csv t.csv -o t.h5 -q
train-pc t.h5 -o m.h5 --structure hclt --hidden 4 --steps 20 -q > /dev/null
forms='^(clerk|nurse),[0-9]{4}-[0-9]{2}-[0-9]{2},20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:00,("-?[0-9]{1,3},[0-9]{3}"|-?[0-9]{1,3}),-?[0-9]+%,[0-9]{14,15},-?[0-9]+\.[0-9]{2}$'
sample-model m.h5 -n 50 -o drawn.csv -q > /dev/null
head -n 1 drawn.csv
grep -cE "$forms" drawn.csv
{ head -n 1 t.csv; printf '7,nurse,,,,,,\n8,,1961-05-17,?,.,n/a,?,None\n'; } > gaps.csv
for how in sample mean mpe; do
  query-pc m.h5 gaps.csv --query impute --how $how -o - -q | sed '1d; s/^[78],//' | grep -cE "$forms"
done
query-pc m.h5 t.csv --query impute -o same.csv -q > /dev/null && cmp t.csv same.csv && echo "as it was"
# Answers say values as their columns do: dates, and numbers of 15 digits.
query-pc m.h5 gaps.csv --query impute -o filled.csv -q > filled.json
jq -r '.result.answers[] | select(.column == "born" or .column == "account") | .value' filled.json |
  grep -cE '^([0-9]{4}-[0-9]{2}-[0-9]{2}|10000000[0-9]{7}(\.[0-9]+)?)$'
query-pc m.h5 gaps.csv --query expect --vars account -o - -q | awk -F, 'NR > 1 { print ($3 > 1e14 && $5 < 1e12 ? "in its units" : $0) }'
query-pc m.h5 gaps.csv --query marginal --vars born -o - -q | sed 1d | grep -vcE ',born,[0-9]{4}-[0-9]{2}-[0-9]{2},'
# A cell that does not fit its column is named, with what would take it.
for cell in 'nurse,17/05/1961' 'nurse,1961-02-30'; do
  { head -n 1 t.csv; echo "1,$cell,,,,,"; } > wrong.csv
  query-pc m.h5 wrong.csv --query loglik -o no.csv -q
  echo "exit $?"
done
inspect m.h5 -q | jq -c '.result.columns[] | [.name, .kind, .form // ""]'
