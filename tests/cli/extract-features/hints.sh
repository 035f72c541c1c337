# What the hint of an error says works.
. "$CLI_TESTS/hints"
given make-data digits -n 60 --size 8 -o digits.h5
given make-data shapes2d -n 60 -o ring.h5
given extract-features digits.h5 -o f.h5 --extractor pixels --stats-only
mkdir photos odd colour
for n in a b c; do { printf 'P5 8 8 255\n'; head -c 64 /dev/zero; } > photos/$n.pgm; done
cp photos/* odd
{ printf 'P5 3 2 255\n'; printf '\1\2\3\4\5\6'; } > odd/other.pgm
{ printf 'P6 8 8 255\n'; head -c 192 /dev/zero; } > colour/a.ppm
follow extract-features digits.h5 -o g.h5
follow extract-features photos -o h.h5
follow extract-features photos colour -o i.h5 --extractor random-conv:1:4
follow_by 'extract-features ring.h5 -o j.h5 --extractor pixels' \
  extract-features ring.h5 -o j.h5 --extractor random-conv:1:4
follow_by 'extract-features photos -o k.h5 --extractor classifier:4 --fit-on digits.h5' \
  extract-features photos -o k.h5 --extractor classifier:4
follow_by 'pack-data images odd --size 8x8 --fit crop -o odd.h5' \
  extract-features odd -o l.h5 --extractor pixels
follow_by 'extract-features digits.h5 -o m.h5 --extractor pixels' \
  extract-features f.h5 -o m.h5
given extract-features digits.h5 -o a.h5 --extractor pca:2 --rows 0:30
given extract-features digits.h5 -o b.h5 --extractor pca:2 --rows 30:60
follow_by 'extract-features digits.h5 -o both.h5 --extractor pca:2' \
  extract-features a.h5 b.h5 -o both.h5
