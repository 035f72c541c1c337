# A table as people have it is packed without an option, a line a column says what each was taken for,
# and its cells come back as they were written.
set -u
table() {
  printf '"",name,age,zip,pay,share,born,seen,smoker,level,unit,account,score\r\n'
  awk 'BEGIN {
    for (i = 0; i < 30; i++)
      printf "%d,\"N%d, %c.\",%s,%05d,\"%d,%03d\",%d%%,19%d-%02d-%02d,2024-01-05T%02d:30:00,%s,%s,7.5,10000000000%04d,%s\r\n",
        i, i, 65 + i % 26, i % 9 == 4 ? "?" : 20 + i * 7 % 50, 1000 + i % 3, 1 + i, i * 37 % 1000, i * 3 % 100,
        60 + i, 1 + i % 12, 1 + i % 28, i % 24, i % 3 ? "yes" : "no", i % 5 ? i % 4 : ".", 1 + i * i,
        i % 6 == 1 ? "n/a" : 40 + i ".25"
  }'
}
table > t.csv
pack-data csv t.csv -o t.h5
view-samples t.h5 > seen.csv
head -n 3 seen.csv
# All but the ids, with holes as empty fields.
sed 's/"N[0-9]*, [A-Z]\.",//; s/^[^,]*,//; 1s/name,//; s/\r$//; s/?//; s/,\.,/,,/; s/n\/a//' t.csv | cmp - seen.csv && echo "the cells came back"
pack-data csv seen.csv -o again.h5 -q
view-samples again.h5 | cmp - seen.csv && echo "and once more"
# A few rows are read as the whole table was, by what inspect says of it.
inspect t.h5 -q > columns.json
jq -c '.result.columns[] | del(.words)' columns.json
validate-json "$REPO/scripts/schema/report.json" columns.json && echo "as the schema has it"
sed 's/"kind": "date"/"kind": "day"/' columns.json > odd.json
validate-json "$REPO/scripts/schema/report.json" odd.json
head -n 4 t.csv > part.csv
pack-data csv part.csv --type columns.json -o part.h5 -q
columns() { jq ".result.columns" "$1"; }
inspect part.h5 -q > part.json
diff <(columns columns.json) <(columns part.json) && echo "the same columns"
printf 'zip,born\n1,02/03/1999\n20,04/03/1999\n1,29/02/2000\n' > dates.csv
pack-data csv dates.csv --type zip=word,born=date:%d/%m/%Y -o dates.h5
view-samples dates.h5 | cmp - dates.csv && echo "the dates came back"
printf 'a;b\n1,5;1.234\n2,25;5.678\n' > comma.csv
pack-data csv comma.csv --decimal , -o comma.h5
view-samples comma.h5
pack-data csv comma.csv -o comma.h5 --force
pack-data csv comma.csv --decimal . -o comma.h5 --force
# What floats cannot tell apart is named; words that stand for many things are left out.
printf 'n,v\n1,1.5\n2000000000,2.5\n30,1.5\n' > wide.csv
pack-data csv wide.csv -o wide.h5
printf 'a,b,a\n1,2,3\n' > twice.csv
pack-data csv twice.csv -o no.h5
echo "exit $?"
sed '$d' dates.csv > two-ways.csv
pack-data csv two-ways.csv --type zip=whole,born=date -o no.h5
echo "exit $?"
[ ! -e no.h5 ] || echo "no.h5 is there"
