# Lines that are no molecules are left out, counted and named with their class; files and options that make no sense are refused
# with what would.
. "$CLI_TESTS/rdkit"
printf 'CCO\nC1CC\nC(C)(C)(C)(C)C\nc1cccc1\n\nC[Se]C\nCCCCCCCCCCCC\nC.O\nC[Fe]$C\nxyz\nCC\377\n' > bad.smi
pack-data smiles bad.smi --vocab qm9 -o m.h5 2>&1 | sed -E 's/, [0-9.]+ s\)/)/'
pack-data smiles bad.smi --vocab qm9 --json -f -o m.h5 -q 2> /dev/null | jq -c '.result.molecules | .left_out, .first_left_out[1], .lines'
try() { pack-data smiles "$@" -f -o no.h5 || echo "exit $?"; }
try bad.smi --on-bad fail
tail -n 1 bad.smi > none.smi
try none.smi
printf 'C[Se]C\n' > metal.smi && try metal.smi --vocab qm9
: > empty.smi && try empty.smi
echo 'smiles,mass' > header.csv && try header.csv
printf 'id,mol,mass\n1,CC,3\n' > t.csv && try t.csv
try t.csv --column name
try t.csv --column 4
printf 'smiles,mass\n"CC,3\n' > open.csv && try open.csv
printf 'smiles,mass\nCC\n' > short.csv && try short.csv
printf 'smiles,iso_smiles,mass\nCC,CC,3\n' > two.csv && try two.csv -q && view-samples no.h5
printf 'a_smiles,iso_smiles,mass\nCC,CC,3\n' > both.csv && try both.csv
printf '\377\376C\0C\0' > wide.smi && try wide.smi
head -c 1200000 /dev/zero | tr '\0' C > long.smi && try long.smi
head -c 900000 /dev/zero | tr '\0' C > large.smi && echo >> large.smi && echo CC >> large.smi && try large.smi -q
printf 'smiles\r\nCC\r\nCO\r\n' > dos.csv && try dos.csv -q && view-samples no.h5
try bad.smi --vocab absent.json
try bad.smi --vocab C,C1
echo 'C 0' > kinds && try bad.smi --vocab kinds
echo '{"a": 1}' > tests.json && try bad.smi --test-index tests.json
echo '[0, 99]' > tests.json && try bad.smi --test-index tests.json
try bad.smi --test-index tests.json --split train:1
try bad.smi --grow 4:1
try bad.smi --max-atoms 0
make-data shapes2d ring8 -n 5 -o ring.h5 -q && try bad.smi --vocab ring.h5
pack-data smiles metal.smi -o metal.h5 -q
try bad.smi --vocab metal.h5 --vocab-charges
pack-data csv t.csv --vocab qm9 -o none.h5 || echo "exit $?"
