# Files need no model, and a model that was meant is never left out in silence.
. "$CLI_TESTS/bits-back-encode/setup"
same() {  # ARCHIVE FILE
  expect 0 bits-back-decode "$1" -o again --force
  cmp -s again "$2" || die "$1: is not $2"
}
printf 'plain words' > notes.txt
printf 'more' > "two words"
expect 0 bits-back-encode notes.txt
same notes.txt.lpx notes.txt
expect 0 bits-back-encode notes.txt "two words" -o both.lpx
bits-back-encode -q < notes.txt > piped.lpx || die "a pipe"
same piped.lpx notes.txt
bits-back-encode --fallback-only -q < notes.txt | cmp - piped.lpx || die "--fallback-only makes the same"
# HDF5 of others and other artifacts are files like any other.
make-data bars -n 12 -o bars.h5 -q
expect 0 bits-back-encode bars.h5
same bars.h5.lpx bars.h5
# What only a model can do is refused without one.
expect 2 bits-back-encode notes.txt --latent-bits 8 --force
says "--latent-bits: does nothing without a model"
expect 2 bits-back-encode notes.txt --model-only --force
says "--model-only: does nothing without a model"
# What is named like a model, or is a damaged one, is not taken for a file.
expect 1 bits-back-encode none.h5 notes.txt -o none.lpx
says "none.h5: no such file"
cp notes.txt odd.h5
expect 3 bits-back-encode odd.h5 notes.txt -o odd.lpx
says "odd.h5: is text, not an HDF5 file"
says "bits-back-encode --fallback-only odd.h5 notes.txt -o odd.lpx"
head -c 3000 bars.h5 > cut.h5
expect 3 bits-back-encode cut.h5 notes.txt -o cut.lpx
absent none.lpx odd.lpx cut.lpx
fixture make vae.h5 vae4 || exit 77
expect 0 bits-back-encode vae.h5 --fallback-only notes.txt --force
says "vae.h5: is a model, and is compressed like any other file"
expect 0 bits-back-encode notes.txt vae.h5 --force
says "vae.h5: is a model, and is compressed like any other file"
expect 0 bits-back-encode --fallback-only vae.h5 --force
grep -q "is a model" err && die "a model alone was meant"
no_leftovers
