# --given takes partial molecules of pack-data smiles --grow: what is known stays in every completion, in the atoms of the model,
# and needs no --known. Rows that are too large for the model are left out with a warning.
. "$CLI_TESTS/rdkit"
printf 'CC(C)CO\nOC1CCCCC1\nNCc1ccccc1\nFc1ccccc1\nCCOCCCCCC\n' > some.smi
pack-data smiles some.smi --vocab qm9 -o some.h5 -q
train-arm some.h5 -o m.h5 --preset tiny --steps 2 --batch 4 --shards 1 -q
echo c1ccccc1 > core.smi
pack-data smiles core.smi --grow 1:4 -o core.h5 -q
sample-model m.h5 --given core.h5 -n 34 -o grown.h5
view-samples grown.h5 --as graph --limit 1000 > graphs
wc -l < graphs
benzene='0-1:2 0-5:1 1-2:1 2-3:2 3-4:1 4-5:2'
sed -E 's/ [0-9]+-[6-9]:[1-3]//g' graphs | grep -c "^C C C C C C .* $benzene\$"
awk '{ n = 0; for (i = 1; i <= NF && $i ~ /^[CNOF]$/; ++i) ++n; print n }' graphs | sort | uniq -c
sample-model m.h5 -n 9 -o s.smi && wc -l < s.smi
try() { sample-model m.h5 -o no.h5 --given "$@" || echo "exit $?"; }
try core.h5 --known every:2
try some.h5
echo CCl > other.smi && pack-data smiles other.smi --grow 1:1 -o other.h5 -q
try other.h5
pack-data smiles core.smi --grow 5:9 -o large.h5 -q
try large.h5
ls no.h5 2> /dev/null || true
