# What cannot be extracted: what, where, and what would help.
make-data digits -n 40 --size 8 -o grey.h5 -q
make-data shapes2d -n 40 -o ring.h5 -q
try() { extract-features "$@" -o f.h5 -q || echo "exit $?"; }
mkdir empty mixed photos
for n in a b c; do { printf 'P5 2 2 255\n'; printf '\1\2\3\4'; } > mixed/$n.pgm; done
cp mixed/* photos
{ printf 'P5 3 2 255\n'; printf '\1\2\3\4\5\6'; } > mixed/other.pgm
{ printf 'P6 8 8 255\n'; head -c 192 /dev/zero; } > colour.ppm
try grey.h5
try photos
try grey.h5 --extractor pixel
try grey.h5 --extractor pca:0
try grey.h5 --extractor pca:50
try ring.h5 --extractor random-conv:1:4
try ring.h5 --extractor classifier:4
try empty --extractor pixels
try mixed --extractor pixels
try grey.h5 colour.ppm --extractor random-conv:1:4
try grey.h5 ring.h5 --extractor pixels
try grey.h5 --extractor inception-v3
try grey.h5 --extractor pixels --save-basis b.h5
try grey.h5 --extractor pixels --fit-on grey.h5
try grey.h5 --extractor pixels --extractor-weights grey.h5
try grey.h5 --extractor pixels --basis grey.h5 --extractor-weights grey.h5
try grey.h5 --extractor pixels --weights raw
try grey.h5 --extractor model:grey.h5
try grey.h5 --extractor pixels --rows 30:50
printf '1,2\n3,nan\n' > nan.csv
try nan.csv
try nan.csv --gray-to-rgb
try photos/a.pgm --extractor pixels --stats-only
ls f.h5 b.h5 2> /dev/null
true
