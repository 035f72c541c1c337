# A list, a table, either through gzip, standard input and the graphs of a dataset are read as the same molecules.
. "$CLI_TESTS/rdkit"
set -eu
printf '%s\n' CCO 'CC(=O)O acid' c1ccccc1 C1CC CCN 'N#CCC(F)F' > s.smi
printf 'id,SMILES\r\n' > s.csv
awk '{ printf "%d,\"%s\"\r\n", NR, $1 }' s.smi >> s.csv
gzip -k s.smi
numbers() { jq -c '.result.sets[0] | [.n_generated, .n_valid, .QED.mean.value, .IntDiv.value, .Frag.value]'; }
mol-metrics s.smi -q | numbers
mol-metrics s.csv -q | numbers
mol-metrics s.smi.gz -q | numbers
mol-metrics - -q < s.smi | numbers
mol-metrics s.csv --column SMILES -q | numbers
echo "a dataset of graphs:"
make-data molecules --min-atoms 2 --max-atoms 3 --elements C,O -o m.h5 -q
mol-metrics m.h5 -q | jq -c '.result.sets[0] | [.n_generated, .n_valid, .uniqueness.value]'
