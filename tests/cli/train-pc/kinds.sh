# The kinds of columns choose their leaves: whole numbers and dates have masses, numbers densities, words,
# ordered words and constants tables. What is filled, drawn or expected comes back as the column writes it.
set -u
{ echo when,price,share,size,visits,unit
  for i in $(seq 160); do
    day=$(date -u -d "2024-01-01 +$((i * 37 % 400)) days" +%d/%m/%Y)
    size=(small medium large)
    echo "$day,\"$((1 + i % 7)),$((100 + i * 53 % 800)).5\",$((i * 29 % 90)).$((i % 10))%,${size[i % 3]},$((1000 + i * i % 733)),kg"
  done; } > t.csv
pack-data csv t.csv --type 'when=date:%d/%m/%Y,size=ordered:small<medium<large' -o t.h5 -q
train-pc t.h5 -o m.h5 --preset tiny -q
query-pc m.h5 --query export -o - -q | jq -c '.variables[] | [.name, .cats, .whole]'
query-pc m.h5 --query validate -o - -q | grep dens
# A later day and more visits than in training have a probability.
printf 'when,price,share,size,visits,unit\n01/06/2031,"3,400.5",12.5%%,medium,99999,kg\n' > later.csv
query-pc m.h5 later.csv --query loglik -o - -q | awk -F, 'NR == 2 { print ($2 < -30 && $2 > -1e9 ? "a finite log p" : $2) }'
printf 'when,price,share,size,visits,unit\n,"3,400.5",,,,\n05/03/2024,,,large,1200,kg\n' > gaps.csv
form='^[0-3][0-9]/[01][0-9]/20[0-9][0-9],"?-?[0-9,]+\.[0-9]"?,-?[0-9]+\.[0-9]%,(small|medium|large),[0-9]+,kg$'
for how in mean mpe sample; do
  query-pc m.h5 gaps.csv --query impute --how $how -o $how.csv -q > /dev/null
  tail -n +2 $how.csv | grep -vE "$form" || echo "$how: cells as they were"
done
sample-model m.h5 -n 40 -o rows.csv -q
tail -n +2 rows.csv | grep -vE "$form" || echo "draws: cells as they were"
query-pc m.h5 gaps.csv --query expect --vars when,visits -o - -q | head -n 1
query-pc m.h5 gaps.csv --query marginal --rows 0:1 --vars size -o - -q | cut -d, -f3
