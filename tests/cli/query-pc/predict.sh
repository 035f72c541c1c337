# One column is predicted from all others, in its own form; where the truth is there, the report says
# what the predictions are worth.
set -u
awk 'BEGIN {
  print "id,job,born,pay,visits,rate"
  for (i = 0; i < 120; i++) {
    nurse = i % 3 == 0
    printf "n%03d,%s,19%02d-%02d-%02d,\"%d,%03d\",%d,%d.%02d\n", i, nurse ? "nurse" : "clerk",
      (nurse ? 60 : 90) + i % 9, 1 + i % 12, 1 + i % 28, nurse ? 40 + i % 5 : 20 + i % 4, i * 37 % 1000, i * 7 % 4,
      nurse ? 3 : 9, i * 31 % 100
  }
}' > t.csv
{ head -n 1 t.csv; tail -n 30 t.csv; } > new.csv
pack-data csv t.csv --split train:80%,test:rest -o t.h5 -q
train-pc t.h5 -o m.h5 --structure hclt --hidden 4 --steps 40 -q > /dev/null
query-pc m.h5 new.csv --query predict --vars job --keep id -o p.csv -q > report.json
head -n 1 p.csv && cut -d, -f1-3 p.csv | sed -n 2,5p
validate-json "$REPO/scripts/schema/report.json" report.json
jq -c '.result.targets[0] | [.column, .rows, .accuracy, (.log_loss < 0.1), (.calibration_error < 0.1)]' report.json
# p of all words sums to 1, and is what marginal says of the row without its word.
awk -F, 'NR > 1 { sum = $4 + $5; if (sum < 1 - 1e-9 || sum > 1 + 1e-9) print "row", $1, sum }' p.csv
awk -F, -v OFS=, 'NR > 1 { $2 = "" } 1' new.csv > hidden.csv
query-pc m.h5 hidden.csv --query marginal --vars job -o - --format csv -q | grep -v '^row' | cut -d, -f4 > marginal
awk -F, 'NR > 1 { print $4; print $5 }' p.csv | cmp - marginal && echo "as marginal has it"
# The table may lack the column, and then there is no truth; ids are left alone.
cut -d, -f1,3- new.csv > without.csv
query-pc m.h5 without.csv --query predict --vars job --keep id -o q.csv -q | jq -c .result.targets && cmp p.csv q.csv
query-pc m.h5 without.csv --query loglik -q
echo "exit $?"
# Numbers have a mean, a deviation and quantiles; whole numbers stay whole, dates are dates.
query-pc m.h5 new.csv --query predict --vars pay,born,rate --quantiles 0.05,0.95 -o n.csv -q > report.json
head -n 1 n.csv
date='[0-9]{4}-[0-9]{2}-[0-9]{2}' pay='"[0-9]+,[0-9]{3}"' rate='[0-9]+\.[0-9]{2}' real='[0-9.e-]+'
grep -cE "^[0-9]+,$pay,$real,$pay,$pay,$date,$real,$date,$date,$rate,$real,$rate,$rate\$" n.csv
jq -c '.result.targets[] | [.column, keys_unsorted, (.r2 > 0.5), (.coverage >= 0 and .coverage <= 1)]' report.json
jq -c '.result.answers[0] | [(.pay | type), (.born | type), (.rate | type)]' report.json
# All columns that are named are hidden together.
query-pc m.h5 new.csv --query predict --vars job,pay --rows 0:3 -o two.csv -q > /dev/null
awk -F, -v OFS=, 'NR == 1 { print; next } { print $1, "", $3, "", $6, $7 }' new.csv > none.csv
query-pc m.h5 none.csv --query predict --vars job,pay --rows 0:3 -o - --format csv -q 2> /dev/null | cmp - two.csv && echo "hidden together"
# Without rows: what is known of the column alone. A dataset is asked as its table is.
query-pc m.h5 --query predict --vars visits -o - -q | head -n 1
query-pc m.h5 t.h5 --query predict --vars job -o h5.csv -q > /dev/null
{ head -n 1 t.csv; tail -n 24 t.csv; } > test.csv
query-pc m.h5 test.csv --query predict --vars job -o csv.csv -q > /dev/null
cut -d, -f2- csv.csv > rest.csv; cut -d, -f2- h5.csv | cmp - rest.csv && echo "the same"
query-pc m.h5 new.csv --query predict --vars rate -o - --threads 2 -q | cmp - <(query-pc m.h5 new.csv --query predict --vars rate -o - --threads 1 -q) && echo "whatever --threads"
# A word that is new is no obstacle where it is what is predicted: it is wrong.
sed '2s/clerk/pilot/; 2s/nurse/pilot/' new.csv > pilot.csv
query-pc m.h5 pilot.csv --query predict --vars job -q | jq -c '.result.targets[0] | [.rows, .accuracy < 1]'
query-pc m.h5 new.csv --query predict -q
echo "exit $?"
query-pc m.h5 new.csv --query predict --vars jobs -q
echo "exit $?"
query-pc m.h5 new.csv --query predict --vars pay --quantiles 0,0.5 -q
echo "exit $?"
query-pc m.h5 new.csv --query predict --vars pay --vars job --text abc -q
echo "exit $?"
