# Files to archives and back, byte for byte: a corpus of odd ones, by no model and by those of the tests.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
case ${SCALE:-tiny} in tiny) size=100000 ;; *) size=20000000 ;; esac
mkdir corpus
cd corpus
: > empty
printf x > 'one byte'
head -c $size /dev/zero > zeros
head -c $size /dev/urandom > random
yes 'the cat sat on the mat' | head -c $size > text || true
yes 'The Cat sat, on the mat; 42 times' | head -c $size > strange || true
printf 'a name\n' > $'new\nline'
printf -- '--\n' > -dash
{ printf 'P5 320 240 255\n'; head -c 76800 /dev/urandom; } > noise.pgm
{ printf 'P6 # comment\n31 17 255\n'; head -c 1581 /dev/urandom; printf 'and more'; } > colours.ppm
{ printf 'P4 99 70\n'; head -c 910 /dev/zero; } > bits.pbm
{ printf 'P5 320 240 255\n'; head -c 1000 /dev/urandom; } > cut-short.pgm
{ printf '\211PNG\r\n\032\n'; head -c 500 /dev/urandom; } > no-png.png
{ printf '\223NUMPY\1\0'; head -c 500 /dev/urandom; } > no-array.npy
{ printf '\0\0\010\003\377\377\377\377\377\377\377\377\377\377\377\377'; printf 'absurd'; } > absurd.idx
{ printf '\0\0\010\003\0\0\3\350\0\0\0\4\0\0\0\4'; head -c 16000 /dev/urandom | tr '\0-\377' '\0\1\0\1\0-\1'; } > pictures.idx
make-data digits -n 200 --size 14 -o ../digits.h5 -q
view-samples ../digits.h5 -o own.png -q
gzip -nc text > text.gz
cd ..
make_model() { bits-back-fixture make "$1.h5" "$1" corpus/text; }
for model in grey8 rgb4 text bytes; do make_model $model; done

check() {  # words of the encoder, words of the decoder
  rm -rf packed restored
  mkdir packed restored
  # shellcheck disable=SC2086
  bits-back-fixture encode $1 --output-dir packed -q -- corpus/*
  # shellcheck disable=SC2086
  # Names that are not to be trusted come back under another, each alone.
  for name in -dash $'new\nline'; do
    # shellcheck disable=SC2086
    bits-back-fixture decode $2 --output-dir restored -q -- "packed/$name.lpx"
    mv -- restored/lpx-member-1 "restored/$name"
    mv -- "packed/$name.lpx" .
  done
  bits-back-fixture decode $2 --output-dir restored -q -- packed/*
  for name in -dash $'new\nline'; do mv -- "$name.lpx" packed; done
  diff -r corpus restored
  for file in corpus/*; do
    name=${file#corpus/}
    [ "$(stat -c '%s %Y' -- "$file")" = "$(stat -c '%s %Y' -- "restored/$name")" ]
    most=$(($(stat -c %s -- "$file") * 10001 / 10000 + 1200))
    [ "$(stat -c %s -- "packed/$name.lpx")" -le $most ] || { echo "$name grew"; exit 1; }
  done
}
check --store ''
check --fallback-only ''
for model in grey8 rgb4 text bytes; do check $model.h5 $model.h5; done
# A model of text beats the coder without one on its own kind, and all in one archive come back too.
bits-back-encode --fallback-only corpus/text -o plain.lpx -q
bits-back-fixture encode text.h5 --embed-model corpus/* -o all.lpx -q
mkdir named
bits-back-fixture decode --trust-embedded-model --restore-name all.lpx --output-dir named -q
cmp corpus/random named/random
cmp corpus/own.png named/own.png
# Every thread count gives the same bytes.
for threads in 1 2 4; do bits-back-fixture encode text.h5 corpus/text -o "t$threads.lpx" -q -j $threads; done
cmp t1.lpx t2.lpx
cmp t1.lpx t4.lpx
echo "compress: all came back"
