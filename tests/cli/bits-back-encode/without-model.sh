# A model that was forgotten, and one that is there but not used, are noticed.
. "$CLI_TESTS/bits-back-encode/setup"
printf 'plain words' > notes.txt
printf 'more' > "two words"
expect 3 bits-back-encode notes.txt
says "notes.txt: is text, not an HDF5 file"
says "bits-back-encode --fallback-only notes.txt"
expect 3 bits-back-encode notes.txt "two words" -o both.lpx
says "bits-back-encode --fallback-only notes.txt 'two words' -o both.lpx"
expect 3 bits-back-encode notes.txt --latent-bits 8
says "the first operand is the model"
for i in $(seq 20); do printf 'words %s' "$i" > "$i.txt"; done
expect 3 bits-back-encode *.txt -o many.lpx
says "hint: the first operand is the model; --fallback-only codes without one"
fixture make vae.h5 vae4 || exit 77
expect 0 bits-back-encode vae.h5 --fallback-only notes.txt
says "vae.h5: is a model, and is compressed like any other file"
expect 0 bits-back-encode --fallback-only vae.h5 --force
grep -q "is a model" err && die "a model alone was meant"
no_leftovers
