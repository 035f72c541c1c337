# Tables that are not the model's, evidence that cannot be, and questions that make no sense.
set -u
printf 'size,n\nsmall,0\nbig,2\nsmall,1\nbig,0\n' > t.csv
pack-data csv t.csv --categorical auto -o c.h5 -q
train-pc c.h5 -o x.h5 --structure hclt --hidden 2 --em-rule full --steps 3 -q > /dev/null
make-data hmm-text -n 60 --length 8 -o text.h5 -q
train-pc text.h5 -o m.h5 --hidden 2 --epochs 1 -q > /dev/null
try() { query-pc "$@" -q > /dev/null || echo "exit $?"; }
table() { printf "$1" > in.csv && shift && try x.h5 in.csv "$@"; }
table 'sise,n\nsmall,0\n'
table 'size,n,size\nsmall,0,big\n'
table 'small,0\nbig,1\n'
table 'size,n\nsmall,x\n'
table 'size,n\nsmall\n'
table 'size,n\n'
table ''
table 'size,n\n"small,1\n'
try m.h5 t.csv
try x.h5 t.csv --rows 2:9
try x.h5 nothing.csv
echo "questions" >&2
try x.h5 t.csv --query impute --how mpe --draws 2 -o f.csv
try x.h5 t.csv --query impute --draws 2 -o -
touch f.2.csv && try x.h5 t.csv --query impute --draws 2 -o f.csv
try x.h5 t.csv --query conditional --vars sise
try x.h5 t.csv --query conditional --vars size,size
try x.h5 t.csv --query marginal --vars 2
try x.h5 t.csv --query next --vars size
try x.h5 t.csv --query anomaly --calibrate 0
try x.h5 t.csv --query anomaly --calibrate text.h5
try x.h5 --query sample --length 4
try m.h5 --text ab --query expect --symbol '?'
try m.h5 --text ab --query expect --symbol a --vars 1
try m.h5 --text ab --query conditional --vars 8
try m.h5 --text ab --query export -o a.json
try m.h5 --text ab --format dot -o a.dot
try m.h5 --text ab --format csv -o a.jsonl
try m.h5 --list --query all
echo "evidence that cannot be" >&2
cat > sure.json << 'END'
{"hmm": {"startprob": [1, 0], "transmat": [[0, 1], [1, 0]], "emissionprob": [[1, 0], [0, 1]]}}
END
printf 'abababab' > ab.txt && pack-data text ab.txt --alphabet auto --block 4 -o ab.h5 -q
train-pc ab.h5 -o sure.h5 --structure file:sure.json --pseudocount 0 --em-floor 0 --em-rule full --steps 1 -q > /dev/null 2>&1
for query in loglik marginal conditional next expect complete mpe map viterbi segment posterior-states anomaly; do
  query-pc sure.h5 --text 'aa_' --text 'ab_' --query "$query" -o "$query.csv" -q > report.json
  jq -r '"\(.result.query): \(.result.errors[0].row) \(.result.errors[0].error)"' report.json
  ! grep -i nan "$query.csv" report.json
done
ls ./*.csv ./*.json
