# A table in CSV is asked about as it is: columns by name, in any order, others left alone; impute
# fills what is empty and keeps every other byte.
set -eu
printf 'size,colour,n\n' > t.csv
for i in $(seq 40); do printf 'small,red,0\nbig,"blue, dark",2\nsmall,red,1\nbig,"a ""b""",2\n'; done >> t.csv
pack-data csv t.csv --categorical auto --missing keep -o c.h5 -q
train-pc c.h5 -o m.h5 --structure hclt --hidden 4 --em-rule full --steps 8 -q > /dev/null
printf '\xef\xbb\xbfid;colour;"size";n\r\n1;"blue, dark";;2\r\n2; "red" ;small;0\r\n3;NA;"big"; \r\n\r\n4;;"";\r\n' > gaps.csv
query-pc m.h5 gaps.csv --query impute --how mpe -o filled.csv -q > /dev/null
cat -A filled.csv
echo "as many bytes untouched as there are"
query-pc m.h5 t.csv --query impute -o same.csv -q > /dev/null && cmp t.csv same.csv
query-pc m.h5 gaps.csv --query impute --how mean -o - -q | cut -d';' -f4 | tr -d '\r' | tail -n +2
query-pc m.h5 gaps.csv --query impute --draws 3 -o draw.csv -q > report.json
jq -c '.result.answers[0]' report.json && ls draw.*
query-pc m.h5 gaps.csv --query impute --rows 1:3 --how mpe -o part.csv -q > /dev/null && cut -d';' -f3 part.csv | tr -d '\r'
# A dataset of the same rows gives the same answers.
query-pc m.h5 t.csv --query anomaly -o csv.csv -q > /dev/null
query-pc m.h5 c.h5 --query anomaly -o h5.csv -q > /dev/null && cmp csv.csv h5.csv && head -n 1 csv.csv
query-pc m.h5 c.h5 --query impute -o whole.csv -q > /dev/null && cmp t.csv whole.csv
# The rows that are least likely come first in the order of sort.
printf 'size,colour,n\nsmall,red,0\nsmall,"blue, dark",0\nbig,"blue, dark",2\n' > odd.csv
query-pc m.h5 odd.csv --query anomaly -o - --format csv -q | sort -t, -k2 -g | cut -d, -f1
query-pc m.h5 odd.csv --query anomaly --calibrate t.csv -o - -q | cut -d, -f1,3
query-pc m.h5 odd.csv --query anomaly --calibrate 99 -o - -q | awk -F, 'NR > 1 { print ($3 > 0 && $3 <= 1) }'
gzip -k odd.csv && query-pc m.h5 odd.csv.gz --query loglik -o gz.csv -q > /dev/null && query-pc m.h5 odd.csv --query loglik -o plain.csv -q > /dev/null && cmp gz.csv plain.csv
# Without a line of names the columns are those of the model, in their order.
tail -n +2 odd.csv > bare.csv && make-data tree -n 300 --dim 3 -o tree.h5 -q
train-pc tree.h5 -o tree.m.h5 --hidden 2 --epochs 1 -q > /dev/null
printf '0,1,\n1,,0\n' > bare.csv && query-pc tree.m.h5 bare.csv --query impute --how mpe -o - -q | grep -c '^[01],[01],[01]$'
# A column of words has no other values than its words.
query-pc m.h5 --query export -o - -q | jq -c '[.variables[].cats]'
# Blanks part fields as well, whatever the file is called; all but the holes stays as it is written.
printf ' size   colour  n \n  small "blue, dark"   NA\nNA  red 1  \n' > blanks.txt
query-pc m.h5 blanks.txt --query impute --how mpe -o blanks.csv -q > /dev/null
cat -A blanks.csv
# A filter: a table in, a table out; a dataset may come so, too.
query-pc m.h5 - --query impute --how mpe -o - -q < gaps.csv | cmp - filled.csv
query-pc m.h5 - --query anomaly -o - -q < c.h5 | cmp - h5.csv && echo "read from stdin"
# A reader that leaves early is no failure.
set -o pipefail
query-pc m.h5 t.csv --query marginal --vars size -o - -q | head -n 1
