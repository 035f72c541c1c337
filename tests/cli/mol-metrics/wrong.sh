# Commands that people get wrong are told what is the matter, and what to write instead.
. "$CLI_TESTS/rdkit"
try() { mol-metrics "$@" > out; echo "exit $?" >&2; }
. "$CLI_TESTS/mol-metrics/inputs"
printf 'name,structure\na,CCO\n' > t.csv
cp s.smi b.smi
printf 'smiles,name\nCCO\n' > short.csv
make-data gauss -n 10 -o g.h5 -q
try
try s.smi --tset test.smi
try s.smi --measures qed
try s.smi -o r.json
try s.smi --make-reference
try s.smi b.smi --features morgan -o f.h5
try s.smi --table moses
try t.csv
try t.csv --column SMILES
try short.csv
try g.h5
try s.smi:train
try s.smi --test ref.h5
try test.smi --make-reference --test test.smi -o r.h5
try s.smi --sa-table test.smi
try s.smi --features descriptors --build-sa-table -o f.h5
