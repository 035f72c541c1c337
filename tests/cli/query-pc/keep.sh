# Columns of the input stand beside the answer of each row: ids, which are no part of the model, too.
set -u
printf 'id,size,colour,n\n' > t.csv
for i in $(seq 40); do printf 'a%02d,small,red,0\nb%02d,big,"blue, dark",2\n' "$i" "$i"; done >> t.csv
pack-data csv t.csv -o t.h5 -q
train-pc t.h5 -o m.h5 --structure hclt --hidden 2 --steps 4 -q > /dev/null
printf 'n;colour;size;id;zip;note\n2;"blue, dark";big;a01;7;"so, so"\n0;red;small;b02;12;"or, no"\n' > new.csv
query-pc m.h5 new.csv --query loglik --keep id,note,zip -o - --format csv -q | cut -d, -f1-5
# A line for each answer of a row; the copy of a column that the answer has, too, says so.
query-pc m.h5 new.csv --query marginal --vars size --keep id -o - -q | cut -d, -f1-4
query-pc m.h5 new.csv --query anomaly --keep id,size -o - -q | head -n 1
query-pc m.h5 new.csv --query predict --vars size --keep id,size -o - --format csv -q | cut -d, -f1-4
query-pc m.h5 new.csv --query complete --keep id --rows 1:2 -o - -q | cut -d, -f1,2
# In JSON a column of numbers is one of numbers.
query-pc m.h5 new.csv --query loglik --keep zip,n,id,note -q | jq -c '.result.answers[] | [.zip, .n, .id, .note]'
# A dataset has the columns that models read.
query-pc m.h5 t.h5 --query loglik --keep size,n --rows 0:2 -o - -q | cut -d, -f1-3
for words in 't.h5 --query loglik --keep id' 'new.csv --query loglik --keep idd' '--query predict --vars size --keep id' \
  'new.csv --query impute --keep id -o no.csv' 'new.csv --query complete --keep id -o no.h5'; do
  # shellcheck disable=SC2086
  query-pc m.h5 $words -q
  echo "exit $?"
done
make-data hmm-text -n 20 --length 4 -o text.h5 -q
train-pc text.h5 -o text.m.h5 --hidden 2 --epochs 1 -q > /dev/null
query-pc text.m.h5 text.h5 --query loglik --keep id -q
echo "exit $?"
