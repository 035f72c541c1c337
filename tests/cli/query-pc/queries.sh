# Every query answers, and the answers agree with each other.
set -eu
. "$CLI_TESTS/query-pc/inputs"
ask() { query-pc "$@" -o - -q; }
close() { awk -v a="$1" -v b="$2" -v what="$3" 'BEGIN { print (a - b) * (a - b) < 1e-12 ? what : "wrong: " a " " b }'; }
# next: the product of p of each symbol given those before it is p of the row.
ask m.h5 --query next --text abba > next.csv
product=$(awk -F, '$2 == 0 && $3 == "a" || $2 == 1 && $3 == "b" || $2 == 2 && $3 == "b" || $2 == 3 && $3 == "a" { s += log($4) } END { printf "%.17g", s }' next.csv)
close "$product" "$(ask m.h5 --query loglik --text abba | tail -n 1 | cut -d, -f2)" "next multiplies to the whole"
# conditional: the joint table sums to marginals.
ask m.h5 --query conditional --text 'a__b' > joint.csv
ask m.h5 --query marginal --text 'a__b' > single.csv
close "$(awk -F, 'NR > 1 && $2 ~ /^"?c/ { s += $3 } END { printf "%.17g", s }' joint.csv)" "$(awk -F, '$2 == 1 && $3 == "c" { print $4 }' single.csv)" "joint tables sum to marginals"
close "$(ask m.h5 --query conditional --vars 1,2 --text 'a__b' | awk -F, '$2 == "c" && $3 == "a" { print $4 }')" "$(awk -F, '$2 == "ca" { print $3 }' joint.csv)" "named by places, too"
ask m.h5 --query map --text 'a__b' > map.csv && cut -d, -f1,3 map.csv
best=$(tail -n +2 joint.csv | sort -t, -k3 -gr | sed -n 1p | cut -d, -f2)
[ "$(tail -n 1 map.csv | cut -d, -f4)" = "a${best}b" ] && echo "map is the largest of all"
ask m.h5 --query map --text 'a__b' --enumerate-limit 10 --beam 1000 | tail -n 1 | cut -d, -f3,4 | sed "s/a${best}b/the same/"
ask m.h5 --query mpe --text 'a__b' | cut -d, -f1,3 | tail -n 1 | sed 's/a..b/filled/'
ask m.h5 --query sample -n 3 --length 5 | tr -d '"' | awk -F, 'NR > 1 { print length($3) }'
ask m.h5 --query sample -n 3 -s 7 > one && ask m.h5 --query sample -n 3 -s 7 -j 1 | cmp one -
ask m.h5 --query sample -n 400 --temperature 0.01 | tail -n +2 | cut -d, -f3 | sort -u | wc -l
# states
ask m.h5 --query viterbi --text aabb > path.csv && head -n 1 path.csv
ask m.h5 --query segment --text aabb | awk -F, 'NR > 1 { n += $3 - $2 } END { print n " steps in runs" }'
ask m.h5 --query posterior-states --text 'aa_b' | awk -F, 'NR > 1 { s += $4 } END { printf "%.6f\n", s }'
# expectations
ask m.h5 --query expect --text 'a_c' --symbol a | awk -F, 'NR > 1 { print ($3 > 1 && $3 < 2) }'
ask x.h5 --query expect --vars x0,x3 > two.csv && head -n 1 two.csv
close "$(awk -F, 'NR == 2 { print $5 }' two.csv)" "$(awk -F, 'NR == 2 { print $6 }' two.csv)" "variance is the covariance with itself"
ask x.h5 --query marginal --vars x0 | awk -F, 'NR > 1 { s += $4 } END { printf "%.6f\n", s }'
# the model itself
ask x.h5 --query validate --format text
ask x.h5 --query export > x.json && jq -c '[.root, (.variables | length)]' x.json
train-pc table.h5 -o again.h5 --structure file:x.json --epochs 1 --lr 1e-30 -q > /dev/null
query-pc again.h5 --query export -o again.json -q > /dev/null && cmp x.json again.json && echo "the same model"
query-pc x.h5 --query export -o x.dot -q > /dev/null && head -n 1 x.dot
query-pc x.h5 --list | grep -A1 viterbi
query-pc m.h5 --list --json | jq -c '[.result.queries[] | select(.answers) | .name]'
ask m.h5 --query marginal --text 'a_' --format text | head -n 3 | awk '{ print NF }'
# The manual has them all.
for name in $(query-pc m.h5 --list --json | jq -r '.result.queries[].name'); do
  grep -q "^\.B ${name//-/\\\\-}\$" "$TEST_DIR/../../../man/query-pc.1.in" || echo "query-pc(1) lacks $name"
done
