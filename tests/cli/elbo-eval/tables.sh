# A table in CSV is scored as its model reads the columns: what its dataset gives, to the last digit.
set -u
awk 'BEGIN {
  print "id,job,born,pay,rate"
  for (i = 0; i < 90; i++)
    printf "n%03d,%s,19%02d-%02d-%02d,\"%d,%03d\",%s\n", i, i % 3 ? "clerk" : "nurse", 60 + i % 30, 1 + i % 12, 1 + i % 28,
      20 + i % 7, i * 37 % 1000, i % 10 ? i % 8 "." i * 31 % 100 : ""
}' > t.csv
pack-data csv t.csv -o t.h5 -q
for states in 2 3; do train-pc t.h5 -o m$states.h5 --structure hclt --hidden $states --steps 5 -q > /dev/null; done
elbo-eval m2.h5 t.h5 --per-example h5.csv -q > h5.json 2> /dev/null
elbo-eval m2.h5 t.csv --per-example csv.csv -q > csv.json && cmp h5.csv csv.csv && echo "the same scores"
jq -c '.result | [.log_likelihood, .measure]' h5.json > a && jq -c '.result | [.log_likelihood, .measure]' csv.json | cmp - a && echo "the same mean"
jq -c '.inputs[1] | [.role, .path, .kind]' csv.json
# Columns are found by their names, in any order; a pipe and gzip do as well.
sed 's/^\([^,]*\),\([^,]*\),\(.*\)$/\3,\1,\2/' t.csv > other.csv
elbo-eval m2.h5 other.csv --per-example - -q 2> /dev/null | cmp - h5.csv && head -n 1 other.csv
elbo-eval m2.h5 - --per-example - -q < t.csv | cmp - h5.csv && gzip -k t.csv && elbo-eval m2.h5 t.csv.gz --per-example - -q | cmp - h5.csv && echo "from a pipe, too"
elbo-eval m2.h5 t.csv --rows 5:8 --per-example - -q | tail -n +2 | wc -l
# Two models on one table are compared row by row; another table is another matter.
for states in 2 3; do elbo-eval m$states.h5 t.csv --per-example s$states.h5 -q > /dev/null; done
elbo-eval --compare s3.h5,s2.h5 -q | jq -c '.result.difference | keys'
head -n 50 t.csv > fewer.csv
elbo-eval m2.h5 fewer.csv --per-example fewer.h5 -q > /dev/null
elbo-eval --compare s3.h5,fewer.h5 -q
echo "exit $?"
# What does not fit is named.
sed 's/^id,job/id,jobs/' t.csv > jobs.csv
sed '4s/clerk/pilot/' t.csv > pilot.csv
sed '4s/19[0-9-]*/soon/' t.csv > soon.csv
for table in jobs.csv pilot.csv soon.csv; do
  elbo-eval m2.h5 $table -q
  echo "exit $?"
done
elbo-eval m2.h5 t.csv --binarise static -q
echo "exit $?"
