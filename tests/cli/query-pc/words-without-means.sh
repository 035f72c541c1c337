# Words have no mean, no variance and no covariance, whatever numbers stand for them: these cells are
# empty, and null in JSON. What is a number has them all the same.
set -eu
printf 'job,age\n' > t.csv
for i in $(seq 40); do printf 'clerk,1\nnurse,2\nchef,0\nclerk,2\n'; done >> t.csv
pack-data csv t.csv --categorical auto -o t.h5 -q
train-pc t.h5 -o m.h5 --structure hclt --hidden 2 --em-rule full --steps 4 -q > /dev/null
printf 'job,age\n,1\nclerk,\n' > gaps.csv
query-pc m.h5 gaps.csv --query expect -o means.csv -q | jq -c '.result.answers[0]'
awk -F, 'NR > 1 { print $2 ":", $3 == "" ? "empty" : "a number", $4 == "" ? "empty" : "a number", $5 == "" ? "empty" : "a number" }' means.csv
query-pc m.h5 --query expect --vars job,age -o pairs.jsonl -q > /dev/null
jq -c '[.place, .mean, .cov_job] | map(if type == "number" then "a number" else . end)' pairs.jsonl
query-pc m.h5 --query expect --vars age -o - --format text -q | awk '{ print NF }'
