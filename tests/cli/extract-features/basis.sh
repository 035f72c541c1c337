# What was learned is kept, and gives the same features again; another name for it is refused.
make-data digits -n 200 --size 8 -o d.h5 -q
for e in pca:5 classifier:6; do
  extract-features d.h5 -o once.h5 --extractor $e --fit-on d.h5:train --save-basis b.h5 -q -f
  extract-features d.h5 -o again.h5 --basis b.h5 -q -f
  [ "$(inspect once.h5 --hash -q)" = "$(inspect again.h5 --hash -q)" ] && echo "$e: the same features"
  inspect b.h5 --check -q > /dev/null && echo "$e: a good basis"
done
extract-features d.h5 -o f.h5 --basis b.h5 --extractor pca:5 -q || echo "exit $?"
extract-features d.h5 -o f.h5 --basis b.h5 --fit-on d.h5 -q || echo "exit $?"
extract-features d.h5 -o f.h5 --basis b.h5 --extractor pixels -q || echo "exit $?"
make-data digits -n 20 --size 14 -o ten.h5 -q
extract-features ten.h5 -o f.h5 --basis b.h5 -q || echo "exit $?"
