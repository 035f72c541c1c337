# Words, whole numbers and real ones in one table: all that can be asked is answered, real numbers in
# their own units, and what is a density says so.
set -eu
awk 'BEGIN { srand(3); print "kind,height,colour,legs"
  for (i = 0; i < 400; ++i) {
    k = int(3 * rand()); h = 15 * (k + 1) + 4 * (rand() + rand() - 1)
    printf "%s,%s,%s,%d\n", rand() < 0.1 ? "" : substr("catdogowl", 3 * k + 1, 3), rand() < 0.1 ? "" : h,
      rand() < 0.5 ? "red" : "\"blue, pale\"", k == 2 ? 2 : 4 } }' > t.csv
pack-data csv t.csv --categorical auto --missing keep -o plain.h5 -q
pack-data csv t.csv --categorical auto --missing keep --standardise -o unit.h5 -q
for data in plain unit; do
  train-pc $data.h5 -o $data.m.h5 --hidden 3 --em-rule full --steps 40 -q > /dev/null
done
printf 'kind,height,colour,legs\ndog,,red,4\n,44.5,,\ncat,90,red,2\n' > gaps.csv
# The same model, whichever units it was trained in.
for query in loglik marginal anomaly; do
  for data in plain unit; do
    query-pc $data.m.h5 gaps.csv --query $query -o $data.csv -q --force > /dev/null
  done
  paste -d, plain.csv unit.csv | awk -F, 'NR > 1 { for (i = 1; i <= NF / 2; ++i) { d = $i - $(i + NF / 2)
    if (d * d > 0.01 + 0.001 * $i * $i) print FILENAME, NR, $i, $(i + NF / 2) } }'
done
ask() { query-pc plain.m.h5 gaps.csv --query "$@" -q; }
ask loglik -o report.csv | jq -c '[.result.measure, .result.lines]'
ask loglik -o - | cut -d, -f1-2 > loglik.csv
elbo-eval plain.m.h5 plain.h5 --rows 0:1 -q 2> /dev/null | jq '.result.log_likelihood.value' > one
query-pc plain.m.h5 plain.h5 --rows 0:1 --query loglik -o - -q | tail -n 1 | cut -d, -f2 | paste - one | awk '{ print ($1 - $2) ^ 2 < 1e-8 }'
# A density integrates to 1; half a deviation apart, within a per cent or two.
ask marginal -o - > marginal.csv && sed 's/.*,//' marginal.csv | sort | uniq -c | awk '{ print $1, $2 }'
awk -F, '$2 == "height" { if (n++) sum += ($3 - x) * ($4 + p) / 2; x = $3; p = $4 }
  END { print (sum > 0.95 && sum < 1.01) }' marginal.csv
ask conditional --vars kind,height -o - | head -n 1
ask conditional --vars kind,colour -o - | awk -F, 'NR > 1 { sum[$1] += $(NF - 1); kinds[$NF] } END { for (k in kinds) print k, sum[0] }'
ask expect --vars height,kind,legs -o - | head -n 1
ask expect --vars height,legs -o - | awk -F, 'NR > 1 { print NF, ($3 * $3 <= $4) }' | sort -u
# What is odd about the third row is its height, then its legs.
ask anomaly -o - | awk -F, 'NR == 4 { print ($8 > $7 && $7 + 0 > 0) }'
ask anomaly --calibrate t.csv -o - | awk -F, 'NR == 4 { print ($3 < 0.01) }'
for how in mpe mean sample; do ask impute --how $how -o $how.csv > /dev/null; done
cut -d, -f1,4 mpe.csv && awk -F, 'FNR == 2 { print ($2 > 25 && $2 < 35) }' mpe.csv mean.csv sample.csv
query-pc plain.m.h5 t.csv --query impute -o whole.csv -q > /dev/null
paste -d'\n' t.csv whole.csv | awk 'NR % 2 { was = $0; next } was != $0 && was !~ /^,|,,/'
query-pc plain.m.h5 plain.h5 --query impute --how mpe -o filled.csv -q > /dev/null
grep -cE '^,|,,' filled.csv || echo "no gap is left"
ask map -o - | awk -F, 'NR > 1 { print $3 }'
ask complete -n 2 --how sample -o draws.h5 > /dev/null && view-samples draws.h5 | wc -l
query-pc plain.m.h5 --query sample -n 300 -o new.csv -q > /dev/null
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "height") h = i; next } { sum += $h } END { m = sum / (NR - 1); print (m > 25 && m < 35) }' new.csv
query-pc plain.m.h5 --query sample -n 5 --temperature 0.01 -o cold.h5 -q > /dev/null && view-samples cold.h5 | wc -l
query-pc plain.m.h5 --query export -o m.json -q > /dev/null
train-pc plain.h5 -o again.h5 --structure file:m.json --steps 0 -q > /dev/null
query-pc again.h5 gaps.csv --query loglik -o - -q | cut -d, -f1-2 | cmp - loglik.csv && echo "read back"
query-pc plain.m.h5 --query validate -o - -q | sed -n 1,4p
query-pc plain.m.h5 gaps.csv --query next -q || echo "exit $?"
# A sequence of real numbers has hidden states.
awk 'BEGIN { srand(1); for (i = 0; i < 200; ++i) { z = rand() < 0.5
  for (t = 0; t < 4; ++t) { if (rand() < 0.2) z = !z; printf "%s%.3f", t ? "," : "", 5 * z + rand() } print "" } }' > steps.csv
pack-data csv steps.csv --no-header -o steps.h5 -q
train-pc steps.h5 -o steps.m.h5 --structure hmm --hidden 2 --em-rule full --steps 40 -q > /dev/null
printf '0.5,0.5,5.5,5.5\n' > step.csv
query-pc steps.m.h5 step.csv --query segment -o - -q | wc -l
query-pc steps.m.h5 step.csv --query posterior-states -o - -q | awk -F, 'NR > 1 && $4 > 0.99 { n++ } END { print n }'
query-pc steps.m.h5 step.csv --query anomaly -o - -q | head -n 1
