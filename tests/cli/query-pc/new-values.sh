# A row with a word or a number that is new to the model says so, by line, column and range, and the
# other rows are answered. -1 is a number as any other.
set -eu
printf 'colour,age\n' > t.csv
for i in $(seq 30); do printf 'red,0\nblue,1\nblue,2\ngreen,1\n'; done >> t.csv
printf 'colour,age,weight\n' > w.csv
for i in $(seq 30); do printf 'red,0,1.5\nblue,1,2.5\nblue,2,3.25\ngreen,1,2\n'; done >> w.csv
for data in t w; do
  pack-data csv $data.csv --categorical auto -o $data.h5 -q
  train-pc $data.h5 -o $data.m.h5 --structure hclt --hidden 2 --em-rule full --steps 4 -q > /dev/null
done
printf 'age,colour,weight\n1,blue,2\n7,red,1\n1,gren,2\n-1,red,\n1.5,red,2\n,black,\n1,,2\n' > new.csv
answered() { jq -r '"\(.result.lines) lines, \(.result.errors | length) errors"' report.json; }
for data in t w; do
  echo "rows of $data.csv"; echo "rows of $data.csv" >&2
  query-pc $data.m.h5 new.csv --query loglik -o p.csv -q --force > report.json && answered
  awk -F, 'NR > 1 { print $1, $2 == "-inf" ? "-inf" : "a number" }' p.csv
done
jq -c '.result.errors[]' report.json
jq -c '.result.answers[1:3]' report.json
# What else is asked has no answer for such rows.
for query in marginal conditional expect complete mpe map; do
  query-pc t.m.h5 new.csv --query $query -o $query.csv -q > report.json 2> /dev/null
  echo "$query: $(answered) rows$(awk -F, 'NR > 1 && !seen[$1]++ { printf " " $1 }' $query.csv)"
done
# A filled table keeps what it has, new values and the gaps beside them.
query-pc t.m.h5 new.csv --query impute --how mpe -o filled.csv -q > /dev/null 2>&1
sed 's/^1,[a-z]*,2$/1,filled,2/' filled.csv
# The value that is new is as surprising as can be; the others are judged as if it were missing.
query-pc w.m.h5 new.csv --query anomaly -o odd.csv -q > /dev/null 2>&1
awk -F, 'NR > 1 { for (i = 7; i <= NF; ++i) printf " %s", $i == "inf" || $i == "" ? "[" $i "]" : "a number"; print "" }' odd.csv
query-pc t.m.h5 new.csv --query anomaly --calibrate t.csv -o odd.csv -q --force > /dev/null 2>&1
awk -F, 'NR == 3 { print ($3 < 0.01) }' odd.csv
# A dataset without words fits the model, and its numbers can be new as well.
printf 'age,weight\n0,1.5\n1,2.5\n2,3.25\n1,2\n' > n.csv && pack-data csv n.csv -o n.h5 -q
train-pc n.h5 -o n.m.h5 --structure hclt --hidden 2 --em-rule full --steps 4 -q > /dev/null
printf 'age,weight\n0,2.5\n7,\n-1,3\n' > few.csv && pack-data csv few.csv --missing keep -o few.h5 -q
query-pc n.m.h5 few.h5 --query impute --how mpe -o kept.csv -q > /dev/null 2> why && cat kept.csv
sed 's/query-pc: //' why
