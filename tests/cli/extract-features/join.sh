# Rows in pieces and rows at once are the same features; labels and logits come along.
make-data digits -n 200 --size 8 -o d.h5 -q
extract-features d.h5 -o all.h5 --extractor classifier:6 --fit-on d.h5 --save-basis b.h5 -q
extract-features d.h5 -o first.h5 --basis b.h5 --rows 0:128 -q
extract-features d.h5 -o last.h5 --basis b.h5 --rows 128: -q
extract-features first.h5 last.h5 -o joined.h5 -q
tables() { inspect "$1" -q | grep -E '"(path|shape|sha256)"|features|logits|labels' | grep -c .; }
for f in all joined; do inspect $f.h5 -q | grep -E '"(n|d|extractor)"'; done
[ "$(tables all.h5)" = "$(tables joined.h5)" ] && echo "as many tables"
extract-features all.h5 -o stats.h5 --stats-only -q
extract-features joined.h5 -o stats2.h5 --stats-only -q
extract-features d.h5 -o stats3.h5 --basis b.h5 --stats-only -q --json | grep -E '"(n|d|classes)"'
extract-features d.h5 digits-not-there.h5 -o x.h5 --basis b.h5 -q || echo "exit $?"
