# Splits by counts and by ranges; a shuffle comes before them and is repeated by its seed.
set -u
. "$CLI_TESTS/pack-data/inputs"
pack-data idx images.idx -q --split train:3,test:1 -o a.h5 --json | grep -A 8 '"splits"'
pack-data idx images.idx -q --split train:3,small:0-2 -o b.h5
echo "exit $?"
pack-data idx images.idx -q --split train:3,small:0-2 --allow-overlap -o b.h5 && echo made
pack-data idx images.idx -q --split train:5 -o c.h5
echo "exit $?"
[ ! -e c.h5 ] || echo "c.h5 is there"
for seed in 1 1 2; do
  pack-data idx images.idx -q --shuffle-seed $seed -o s.h5 --force && inspect s.h5 -q --hash
done | uniq -c | awk '{ print $1 }'
pack-data idx images.idx -q --rows 1:9 -o c.h5
echo "exit $?"
