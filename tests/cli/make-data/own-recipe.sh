# A dataset is its own recipe: made again from its settings it has the same bytes.
make-data shapes2d spiral -n 300 --sigma 0.2 -s 5 -o a.h5 -q
make-data --config a.h5 -o b.h5 -q
cmp a.h5 b.h5 && echo same
make-data --config a.h5 -s 6 -o c.h5 -q
cmp -s a.h5 c.h5 || echo other
