# The report says whether the model was trained on the rows that are scored; only then there is a warning.
set -eu
. "$CLI_TESTS/elbo-eval/inputs"
seen() { elbo-eval "$@" -q | grep -E 'rows_seen_in_training|"warnings"'; }
echo "the split that was held out" && seen vae.h5 digits.h5:test
echo "the rows of the training" && seen vae.h5 digits.h5:train
echo "the first of them" && seen vae.h5 digits.h5:train --limit 5
train-vae digits.h5 -o few.h5 --preset tiny --binarise static --limit 30 -q
echo "some of them" && seen few.h5 digits.h5:train --rows 20:60
echo "others of the same split" && seen few.h5 digits.h5:train --rows 30:60
make-data digits -n 300 --size 14 --split all:300 -o longer.h5 -q
echo "the same source, in another file" && seen few.h5 longer.h5:all --limit 20
echo "rows of it that come later" && seen few.h5 longer.h5:all --rows 100:120
make-data digits -n 60 --size 14 -s 2 -o twin.h5 -q
echo "a file of its own" && seen vae.h5 twin.h5
printf '%s\n' 0,1 1,1 0,0 1,0 0,1 1,1 > bits.csv
for part in 0:4 4:6 3:6; do
  pack-data csv bits.csv --no-header --content symbols --levels 2 --rows $part -o "part-${part%:*}.h5" -q
done
train-vae part-0.h5 -o bits.h5 --preset tiny --batch 2 -q
echo "rows of a file, packed apart" && seen bits.h5 part-4.h5
echo "one of them was in both" && seen bits.h5 part-3.h5
