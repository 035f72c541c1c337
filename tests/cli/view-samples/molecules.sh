# Molecules are lines of SMILES, on stdout the first hundred, in a file all of them; a graph that is no molecule is a line that
# begins with #, its class and the graph. --as graph shows atoms, then bonds; drawings of them have no pixels.
make-data molecules --min-atoms 1 --max-atoms 3 --elements C,O -o mol.h5 -q
view-samples mol.h5:train --limit 8 --as graph
view-samples mol.h5 -o mol.png
echo $?
. "$CLI_TESTS/rdkit"
view-samples mol.h5:train --limit 8
make-data molecules --min-atoms 4 --max-atoms 4 --elements C,N,O,F -o four.h5 -q
view-samples four.h5 -o four.smi
view-samples four.h5 -q | wc -l
sort -u four.smi | wc -l
printf 'C\nN\nC[N+](C)(C)C\nCC.O\n' > list.smi
pack-data smiles list.smi --fragments keep --vocab C,N,O -o list.h5 -q
view-samples list.h5 -o list.again.smi -q && cmp list.smi list.again.smi && echo "back as they were"
pack-data smiles list.smi --fragments keep --grow 1:1 -o grown.h5 -q
view-samples grown.h5 --limit 2
view-samples grown.h5 -o grown.smi
pack-data smiles grown.smi -o none.h5
try() { "$@" -q || echo "exit $?"; }
try view-samples mol.h5 --grid 2x2
try view-samples mol.h5 -o mol.smi --as graph
make-data shapes2d ring8 -n 5 -o ring.h5 -q
try view-samples ring.h5 --as smiles
