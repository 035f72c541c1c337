# Completions of rows of which a part is known: that stays, each row has as many as are asked for, by the model's own
# steps, exactly or by weights.
set -u
make-data hub -n 90 -o hub.h5 -q
make-data digits -n 40 --size 8 -o digits.h5 -q
train-arm hub.h5 --preset tiny --hidden 16 --steps 30 -o lo.h5 -q
train-arm digits.h5 --preset tiny --channels 4 --levels 4 --steps 4 --batch 8 -o picture.h5 -q
train-vae hub.h5 --preset tiny --likelihood categorical -o vae.h5 -q
try() {
  sample-model "$@" -n 2 -o s2.h5 -q
  echo "$? $*"
}
given=(lo.h5 --given hub.h5:test --known every:2 --index 0:3)
sample-model "${given[@]}" -n 2 -o c.h5 -q -j 1 && sample-model "${given[@]}" -n 2 -o c4.h5 -q -j 4 && cmp c.h5 c4.h5
kept() { cut -d, -f1,3,5,7; }
rows=$(inspect hub.h5 -q | jq '[.result.splits[] | select(.name == "test").begin][0]')
view-samples hub.h5 --rows "$rows:$((rows + 3))" | tail -n +2 | kept | sed p > known
view-samples c.h5 | tail -n +2 | kept | cmp - known && echo "what is known stays"
for how in exact 'sir --particles 8'; do
  # shellcheck disable=SC2086
  sample-model "${given[@]}" --infill $how -o i.h5 -q --force && view-samples i.h5 | tail -n +2 | wc -l
done
sample-model picture.h5 --given digits.h5:test --known rows:0-3 --index 0:2 -o half.h5 -q && view-samples half.h5 -o half.png -q
try "${given[@]}" --infill policy --particles 3
try "${given[@]}" --infill exact --temperature 2
try "${given[@]}" --infill exact --order-trace steps
try lo.h5 --infill exact
try lo.h5 --given hub.h5:test
try lo.h5 --known every:2
try lo.h5 --given hub.h5:test --known rows:0-1
try lo.h5 --given digits.h5 --known every:2
try picture.h5 --given digits.h5 --known rows:0-3 --infill exact
try vae.h5 --given hub.h5 --known every:2
