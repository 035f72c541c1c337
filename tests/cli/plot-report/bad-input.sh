# What is neither a report nor a history is a data error with its place.
echo '[1]' > list.json
printf '{"step": 1}\n{"step": 2,}\n' > cut.jsonl
echo '{"kl": 1}' > plain.jsonl
for file in list.json cut.jsonl plain.jsonl; do
  plot-report $file -o a.gp
  echo $?
done
cp "$TEST_DIR/small.json" .
plot-report small.json -o a.gp --log-y
echo $?
plot-report small.json -o a.gp --size 10x10
echo $?
cp "$TEST_DIR/history.jsonl" .
for range in 5 a: 3:1; do
  plot-report history.jsonl -o a.gp --y-range $range
  echo $?
done
