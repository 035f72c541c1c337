# Every metric: the same report for 1, 2 and 4 threads, and from a pipe.
set -eu
. "$CLI_TESTS/fid-extrapolate/inputs"
for threads in 1 2 4; do
  fid-extrapolate real.csv fake.csv --metrics fid,kid,prdc --symmetric --bootstrap 10 -j $threads -q > $threads.json
done
cmp 1.json 2.json && cmp 1.json 4.json && echo "same bytes"
fid-extrapolate - fake.csv --bootstrap 0 -q < real.csv | jq .result > piped
fid-extrapolate real.csv fake.csv --bootstrap 0 -q | jq .result | cmp - piped && echo "same from a pipe"
