# --model-only wins in short archives, too, which would be shorter without the model: two models make two archives,
# each of which its own model alone decodes.
. "$CLI_TESTS/bits-back-encode/setup"
by_model() { [ "$(jq .result.blocks.model.blocks report.json)" -gt 0 ] || die "the model coded no block"; }
seq 300 > words
pack-data text words --alphabet auto -o words.h5 -q
for seed in 1 2; do
  train-pc words.h5 -o $seed.h5 -s $seed --preset tiny --steps 2 --hidden 2 --valid 0 -q
  expect 0 bits-back-encode $seed.h5 words --model-only --no-times -o $seed.lpx --report report.json --force -q
  by_model
  [ "$(stat -c %s $seed.lpx)" -lt 4096 ] || die "the archive is no short one"
done
cmp -s 1.lpx 2.lpx && die "two models make the same archive"
for seed in 1 2; do
  expect 0 bits-back-decode $seed.h5 $seed.lpx -o - -q
  cmp out words || die "$seed: other bytes came back"
done
expect 3 bits-back-decode 2.h5 1.lpx -o - -q
# Without the option the shorter archive is written, for which no model is needed.
expect 0 bits-back-encode 1.h5 words --no-times -o short.lpx
says "shorter without the model"
expect 0 bits-back-decode short.lpx -o - -q
cmp out words || die "other bytes came back"
# A picture that our own writer made is coded by its pixels, although its bytes would be shorter.
make-data digits -n 30 --size 8 -o digits.h5 -q
train-vae digits.h5 -o vae.h5 --preset tiny --likelihood beta-binomial --steps 2 -q
view-samples digits.h5 --rows 0:1 --grid 1x1 -o one.png -q
expect 0 bits-back-encode vae.h5 one.png --model-only --no-times -o one.lpx --report report.json --force -q
by_model
expect 0 bits-back-decode vae.h5 one.lpx -o - -q
cmp out one.png || die "another picture came back"
no_leftovers
