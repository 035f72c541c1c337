# The oddest cell of each row is named, with what was expected; --top has the oddest rows first.
set -u
awk 'BEGIN {
  print "id,job,day,pay,share,age"
  for (i = 0; i < 160; i++) {
    nurse = i % 2; age = 20 + i * 7 % 40
    printf "%s-%d,%s,2024-%02d-%02d,\"%d,%03d\",%d%%,%d\n", i % 7 "x", i, nurse ? "nurse" : "clerk",
      1 + (i * 5 + age) % 6 + 6 * nurse, 1 + i * 11 % 28, 2 + 4 * nurse + i % 3 % 2, (i * 37 + age) % 1000, 20 + 60 * nurse + i % 9, age
  }
}' > t.csv
pack-data csv t.csv -o t.h5 -q
train-pc t.h5 -o m.h5 --trees 1 --blocks 1 --hidden 4 --block-states 2 --epochs 30 -q > /dev/null
cat > odd.csv << 'EOF'
job,age,day,share,pay
clerk,30,2024-03-02,24%,"2,500"
clerk,31,2024-03-03,99%,"2,600"
nurse,30,2024-03-02,24%,"2,500"
nurse,33,2024-10-05,84%,"64,000"
clerk,33,2029-02-05,24%,"2,700"
clerk,,,,
,,,,
EOF
query-pc m.h5 odd.csv --query anomaly -o a.csv -q > /dev/null
head -n 1 a.csv
cut -d, -f1,3- a.csv | grep -oE '^[12346],[a-z]*,("[^"]*"|[^,]*),'
# What was expected is a likely word, or a mean and a deviation in the form of the column.
grep -cE '^1,-[0-9.]+,share,99%,[0-9.]+,2[0-9]%,' a.csv
grep -cE '^2,-[0-9.]+,job,nurse,[0-9.]+,clerk,' a.csv
grep -cE '^3,-[0-9.]+,pay,"64,000",[0-9.]+,"?[5-8],[0-9]{3} ± [0-9,]+"?,' a.csv
grep -cE '^4,-[0-9.]+,day,2029-02-05,[0-9.]+,2024-0[1-7]-[0-9]{2} ± [0-9]+ days,' a.csv
# The oddest rows, the oddest one first, with their numbers.
query-pc m.h5 odd.csv --query anomaly --top 2 -o - -q > top.csv
sort -t, -k2,2g a.csv | grep -v '^row' | head -n 2 | cmp - <(tail -n +2 top.csv) && cut -d, -f1,3 top.csv
query-pc m.h5 odd.csv --query anomaly --top 99 -q | jq .result.lines
query-pc m.h5 odd.csv --query loglik --top 3 -q
echo "exit $?"
# A dataset says the same as the table of which it was made; words that are new are named.
pack-data csv odd.csv --columns job,day,pay,share,age -o odd.h5 -q
query-pc m.h5 odd.h5 --query anomaly -o - -q | cut -d, -f3- | cmp - <(cut -d, -f3- a.csv) && echo "the same"
train-pc t.h5 -o strict.h5 --unknown error --trees 1 --blocks 0 --hidden 2 --epochs 2 -q > /dev/null
query-pc strict.h5 odd.h5 --rows 1:2 --query anomaly -o - -q | cut -d, -f1-5
{ head -n 1 odd.csv; echo 'nurs,33,2024-10-05,84%,"6,400"'; } > new.csv
query-pc strict.h5 new.csv --query anomaly -o - -q | cut -d, -f1-6
# A column of the table keeps its name beside those of the answer.
sed '1s/age/expected/' t.csv > e.csv
pack-data csv e.csv -o e.h5 -q
train-pc e.h5 -o e.pc.h5 --trees 1 --blocks 0 --hidden 2 --epochs 2 -q > /dev/null
query-pc e.pc.h5 e.h5 --rows 0:2 --query anomaly -o - -q | head -n 1
