# A made table has columns of every kind, holes where they are asked for, and the true log p of each
# row; as CSV it is the file that pack-data makes the same rows of.
set -u
make-data table -n 400 --holes 0.1 -o t.csv -q
head -n 1 t.csv
grep -cE '^r[0-9]{7},(clerk|farmer|nurse|teacher|),[A-D]?,[1-6]?,[0-9]*,([0-9]{4}-[0-9]{2}-[0-9]{2})?,([0-9]+\.[0-9]{2})?,([0-9]+\.[0-9]{2})?,(12)?$' t.csv
pack-data csv t.csv -o p.h5 2>&1 | grep -oE '(id|job|grade|rooms|visits|since|height|weight|batch)  +[a-z]+ '
make-data table -n 400 --holes 0.1 -o t.h5 -q
inspect t.h5 -q | jq -r '.result.columns[] | [.name, .kind] | join(" ")'
cmp <(view-samples p.h5 --limit 400) <(view-samples t.h5 --limit 400 | sed 's/,[^,]*$//') && echo "the same rows"
make-data table -n 400 --holes 0.1 -o - --format csv -q | cmp - t.csv && echo "the same to a pipe"
make-data table -n 400 -o whole.csv -q && grep -cE ',,|,$' whole.csv
# What a model says of the rows is held beside the truth.
make-data table -n 600 -o w.h5 --split train:400,test:200 -q
train-pc w.h5 -o m.h5 --trees 0 --blocks 1 --block-states 3 --epochs 20 -q
elbo-eval m.h5 w.h5:test -q | jq '.result.gap_to_truth.value | . > 0 and . < 2'
# Pictures are no table.
make-data digits -n 3 -o d.csv -q
echo "exit $?"
make-data gauss -n 3 --holes 0.1 -o g.h5 -q
echo "exit $?"
