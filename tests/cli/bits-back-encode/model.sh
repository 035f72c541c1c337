# By a model: named, found by its identity, embedded; a wrong one is refused before there is output.
. "$CLI_TESTS/bits-back-encode/setup"
fixture make vae.h5 vae4 || exit 77
printf 'no model' > text
{ printf '\0\0\010\003\0\0\003\350\0\0\0\004\0\0\0\004'; head -c 16000 /dev/zero | tr '\0' '\1'; } > bits.idx
: > empty
# An archive of several files keeps its model, whether that codes any block or not.
expect 0 fixture encode vae.h5 bits.idx empty -o bits.idx.lpx
expect 0 fixture encode vae.h5 text
expect 0 fixture decode vae.h5 bits.idx.lpx text.lpx --suffix .lpx -q --force
expect 3 fixture decode bits.idx.lpx -o out.idx
says "bits.idx.lpx: needs model "
says "toy-vae-resident, items 4x4x1, 2 levels"
says "hint: name the model or set LOGPX_MODEL_PATH"
absent out.idx
fixture make other.h5 bits4
expect 3 fixture decode other.h5 bits.idx.lpx -o out.idx
says ", but other.h5 is "
absent out.idx
expect 0 env LOGPX_MODEL_PATH=/nowhere:. "$(dirname "$(command -v bits-back-encode)")/../test-bin/bits-back-fixture" decode bits.idx.lpx -o found.idx
cmp bits.idx found.idx || die "found by identity: differs"
mkdir models
mv vae.h5 models
expect 0 fixture decode bits.idx.lpx -o path.idx --model-path models
cmp bits.idx path.idx || die "--model-path: differs"
# A model that cannot be read may be the one: its fault is said.
tr '\0' '\1' < models/vae.h5 > damaged.h5
size=$(wc -c < models/vae.h5)
{ head -c $((size - 200)) models/vae.h5; tail -c 200 damaged.h5; } > damaged
mkdir damaged.d
mv damaged damaged.d/vae.h5
expect 3 fixture decode bits.idx.lpx -o path.idx --force --model-path damaged.d
says "needs model "
says "damaged.d/vae.h5: "
mv models/vae.h5 .
expect 0 fixture encode vae.h5 bits.idx empty --embed-model -o e.lpx --report e.json
grep -q '"model_identity": "' e.json || die "the report has no identity"
expect 5 fixture decode e.lpx -o embedded.idx
says "--trust-embedded-model uses it"
absent embedded.idx
expect 0 fixture decode --trust-embedded-model e.lpx -o embedded.idx
cmp bits.idx embedded.idx || die "embedded: differs"
for threads in 1 2 4; do
  for isa in $ISAS; do
    LOGPX_ISA=$isa fixture encode vae.h5 bits.idx --no-times -o - -q -j $threads < /dev/null > "t.$threads.$isa" 2> err || die "$isa: $(cat err)"
    cmp t.1.baseline "t.$threads.$isa" || die "$threads threads or $isa give other bytes"
  done
done
# Options that this model does not know, and values that it does not take.
expect 2 fixture encode other.h5 bits.idx --latent-bits 8 -o x
says "--latent-bits does nothing for this markov-fixture; for coding it knows no option"
expect 2 fixture encode vae.h5 bits.idx --latent-bits 99 -o x
says "--latent-bits"
expect 2 fixture encode vae.h5 bits.idx --lanes 3 -o x
expect 0 fixture encode vae.h5 bits.idx empty --latent-bits auto --particles 3 --lanes 2 -o k.lpx
expect 0 fixture decode vae.h5 k.lpx -o k.idx
cmp bits.idx k.idx || die "particles: differs"
# What the model codes nothing of does not need it: noise, an empty file; of several files one does.
noise 3000 > noise
for file in noise empty text; do
  expect 0 fixture encode vae.h5 $file --embed-model -o alone.lpx --force
  expect 0 bits-back-decode -q alone.lpx -o alone --force
  cmp $file alone || die "without the model: $file differs"
done
expect 0 fixture encode vae.h5 empty bits.idx -o both.lpx
expect 3 bits-back-decode both.lpx -o both
# Nothing to settle the bits on: a file without items, a pipe. What was taken is in the archive.
expect 0 fixture encode vae.h5 text --latent-bits auto -o a.lpx
expect 0 fixture decode vae.h5 a.lpx -o a.text
cmp text a.text || die "automatic latent bits without a sample: differs"
fixture encode vae.h5 --latent-bits auto -q < bits.idx > p.lpx || die "automatic latent bits from a pipe"
fixture decode vae.h5 -q < p.lpx | cmp - bits.idx || die "automatic latent bits from a pipe: differs"
expect 0 fixture decode --list -v p.lpx
grep -q '"latent_bits":"12"' out || die "the archive does not name its latent bits"
# Samples that the model does not know.
{ printf '\0\0\010\003\0\0\0\001\0\0\0\004\0\0\0\004'; printf 'abcdefghijklmnop'; } > grey.idx
expect 3 fixture encode vae.h5 grey.idx
says "grey.idx: holds a sample of 97, the model knows 0 to 1"
absent grey.idx.lpx
# Text from a pipe, with a character that is not in the alphabet.
{ yes 'the cat sat on the mat ' | tr -d '\n' | head -c 5000; printf X; } > words
fixture make text.h5 text words
fixture encode text.h5 -q < words > words.lpx || die "text from a pipe"
fixture decode text.h5 -q < words.lpx | cmp - words || die "text from a pipe differs"
expect 0 fixture decode --list words.lpx
grep -q ' text ' out || die "a pipe is not seen as text"
no_leftovers
