# Molecules on a sheet: an SVG, the same bytes each time; what keeps to no valence is marked.
. "$CLI_TESTS/rdkit"
make-data molecules --min-atoms 2 --max-atoms 4 --elements C,N,O -n 12 -o mol.h5 -q
view-samples mol.h5 -o sheet.svg
view-samples mol.h5 -o again.svg -q && cmp sheet.svg again.svg && echo "the same bytes"
head -c 60 sheet.svg; tail -c 7 sheet.svg
letters() { grep -o '>[A-Z]</text>' "$1" | sort | uniq -c | sed 's/^ *//'; }
letters sheet.svg | sed 's/^[1-9][0-9]* /some /'
view-samples mol.h5 -o grid.svg --grid 4x2 --json -q | jq -c '.result | [.rows, .impossible, .width > .height]'
view-samples mol.h5 -o rows.svg --rows 3:5 --json -q | jq -c '.result.rows, .outputs[0].kind'
# An untrained model knows no valences.
train-arm mol.h5 --preset tiny --steps 1 --model ao -o m.h5 -q
sample-model m.h5 -n 30 -o s.h5 -q
view-samples s.h5 -o s.svg --json -q | jq '.result.impossible > 0'
[ "$(grep -c '<circle' s.svg)" -gt 0 ] && echo "rings"
view-samples mol.h5 -o sheet.png -q || echo "exit $?"
view-samples mol.h5 -o sheet.svg --scale 3 --force -q || echo "exit $?"
view-samples mol.h5 -o sheet.svg --labels --force -q || echo "exit $?"
make-data shapes2d ring8 -n 4 -o ring.h5 -q
view-samples ring.h5 -o ring.svg -q || echo "exit $?"
