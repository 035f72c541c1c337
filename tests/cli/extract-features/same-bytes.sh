# Features, what an extractor learns, and statistics are the same bytes whatever the threads.
make-data digits -n 300 --size 8 -o d.h5 -q
for j in 1 2 4; do
  mkdir $j
  extract-features d.h5 -o $j/conv.h5 --extractor random-conv:1:8 -j $j -q
  extract-features d.h5:train -o $j/class.h5 --extractor classifier:6 --save-basis $j/basis.h5 -j $j -q
  extract-features d.h5 -o $j/stats.h5 --extractor pca:5 --stats-only -j $j -q
done
for j in 2 4; do
  for what in conv class basis stats; do cmp 1/$what.h5 $j/$what.h5 && echo "$what as with $j threads"; done
done
