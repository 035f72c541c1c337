# Molecules from lists and tables of SMILES: without options all that occurs is kept, with charges, so that view-samples writes
# what was read; --vocab qm9 and zinc250k are those of papers, and the summary says what share comes back.
. "$CLI_TESTS/rdkit"
said() { sed -n 's/ -> .*//; /rows of/p' err; }
pack() { pack-data smiles "$@" -f -o m.h5 2> err; echo "exit $?"; said; }
printf 'CCO ethanol\nC[N+](=O)[O-]\nc1cc[nH]c1\n[CH2]C\nCC(C)N\n' > my.smi
pack my.smi
view-samples m.h5 -o back.smi -q && sed 's/ .*//' my.smi | cmp - back.smi && echo "they come back"
sha256sum < m.h5 > first
for threads in 1 2 4; do pack-data smiles my.smi -f -o m.h5 -q -j $threads && sha256sum < m.h5 | cmp - first; done
pack my.smi --vocab qm9
view-samples m.h5 --rows 1:4
pack my.smi --vocab qm9 --vocab-charges
pack my.smi --no-vocab-charges
pack my.smi --vocab C,N,O --max-atoms 4
# Tables, gzip, pipes; the same molecules are the same file.
{ echo 'id,"SMILES",mass'; sed 's/ .*//' my.smi | awk '{ print NR ",\"" $1 "\n\"," NR / 2 }'; } > t.csv
gzip -k t.csv
for input in t.csv t.csv.gz -; do
  pack-data smiles $input -f -o t.h5 -q < t.csv && inspect t.h5 -q | jq -r .result.content_hash
done | sort -u | wc -l
pack-data auto t.csv -f -o a.h5 2>&1 | sed 's/ -> .*//'
pack t.csv --column 2
# A model's test data take the atoms of its training data, or of the model.
pack-data smiles my.smi -f -o train.h5 -q
echo C > more.smi
pack more.smi --vocab train.h5
printf '["C", "O"]' > list.json && pack my.smi --vocab list.json
printf 'C 0 0\nN 1 0\nO -1 0\nO 0 0\n' > kinds && pack my.smi --vocab kinds
# Fragments, repeats, tests by their numbers.
printf 'CC(=O)[O-].[Na+]\nCCO\nOCC\nC\n' > salts.smi
pack salts.smi
pack salts.smi --fragments largest --dedupe
pack salts.smi --fragments keep
printf '{"valid_idxs": ["00002", 0]}' > tests.json
pack salts.smi --fragments keep --test-index tests.json
view-samples m.h5:test
inspect m.h5 -q | jq -c '.result.splits, .result.atoms'
pack salts.smi --split train:50%,test:rest --shuffle-seed 3
# Parts of molecules, for sample-model --given.
pack my.smi --limit 1 --grow 1:2
view-samples m.h5 --as graph
