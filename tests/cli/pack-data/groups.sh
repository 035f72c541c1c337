# Rows come together by the split that a column names, or so that no group lies in two splits.
set -u
printf 'part,who,v\n' > t.csv
for i in 1 2 3 4; do printf 'train,ann,%d.5\ntest,bob,%d.25\ntrain,cy,%d.75\nvalid,ann,%d\n' $i $i $i $i; done >> t.csv
splits() { inspect "$1" -q | jq -c '.result.splits[] | [.name, .begin, .end]'; }
pack-data csv t.csv --split-by part -o t.h5
splits t.h5
view-samples t.h5 | head -n 3
pack-data csv t.csv --group who --split train:50%,test:rest -o g.h5 -q
splits g.h5
view-samples g.h5:test
pack-data csv t.csv --group who --split train:50%,test:rest --shuffle-seed 3 --columns who -o mixed.h5 -q
view-samples mixed.h5:train | cut -d, -f1 | sort | uniq -c
for options in '--split-by part --split train:rest' '--group who' '--group who --split-by part' \
  '--group who --split a:1,b:rest' '--group who --split train:rest --limit 3' '--split-by parts'; do
  # shellcheck disable=SC2086
  pack-data csv t.csv $options -o no.h5
  echo "exit $?"
done
[ ! -e no.h5 ] || echo "no.h5 is there"
