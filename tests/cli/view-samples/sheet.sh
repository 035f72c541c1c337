# Images on a sheet: grid, scale and rows decide its size; --limit wins over the grid.
make-data digits -n 60 --size 14 -o digits.h5 -q
view-samples digits.h5 -o a.png --grid 5x2 --scale 3
view-samples digits.h5:test -o b.png --labels -q --json | grep -A4 '"result"'
view-samples digits.h5 --rows 10:13 --limit 2 -o c.png
view-samples digits.h5 --rows 0:1 -o d.png && view-samples digits.h5 --rows 0:1 --invert -o e.png
cmp -s d.png e.png || echo inverted
