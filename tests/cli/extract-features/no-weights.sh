# Inception v3 comes without weights: says so, what makes them, and takes those of the right layout alone.
make-data digits -n 4 --size 8 -o d.h5 -q
extract-features d.h5 -o f.h5 --extractor inception-v3 -q || echo "exit $?"
extract-features d.h5 -o f.h5 --extractor pca:2 --save-basis b.h5 -q
extract-features d.h5 -o g.h5 --extractor inception-v3 --extractor-weights b.h5 -q || echo "exit $?"
