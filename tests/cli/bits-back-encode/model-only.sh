# By the model alone: every block of its samples, even where other codes are shorter, with the bits that it borrows
# as initial bits; what is no sample of it is coded as ever.
. "$CLI_TESTS/bits-back-encode/setup"
make-data digits -n 20 --size 8 -o digits.h5 -q
train-vdm digits.h5 --preset tiny --steps 5 --mse-rows 0 -o vdm.h5 -q
blocks() { jq -c '[.result.blocks[] | .blocks]' report.json; } # stored, fallback, model, adaptive, mixed
code=(bits-back-encode --effort fast vdm.h5 --dataset digits.h5 --timesteps 20 --report report.json -q --force)
expect 0 "${code[@]}" -o any.lpx
[ "$(jq .result.blocks.model.blocks report.json)" = 0 ] || die "the model is no good: $(blocks)"
expect 0 "${code[@]}" --model-only -o alone.lpx
[ "$(jq '.result.blocks.model.blocks > 0 and .result.initial.bits > 0 and .result.bootstrap.bits == 0 and
  ([.result.blocks[].blocks] | add) == .result.blocks.model.blocks' report.json)" = true ] || die "not by the model alone: $(blocks)"
[ "$(stat -c %s alone.lpx)" -gt "$(stat -c %s any.lpx)" ] || die "the shorter one was not the default"
jq -e '(.result.likelihood.bits + .result.prior.bits + .result.posterior.bits + .result.initial.bits) as $spent |
  .result.coded.bits >= $spent and .result.coded.bits < $spent + 400' report.json > out || die "the bits do not add up: $(cat report.json)"
for threads in 1 2; do
  expect 0 "${code[@]}" --model-only --block-items 10 -j $threads -o "$threads.lpx"
done
cmp 1.lpx 2.lpx || die "threads change the archive"
expect 0 bits-back-decode any.lpx -o any -q
for one in alone 1; do
  expect 0 bits-back-decode vdm.h5 $one.lpx -o $one -q
  cmp any $one || die "$one: other rows came back"
done
# What has not the shape of its samples is coded without the model, and restored.
seq 2000 > numbers
expect 0 bits-back-encode vdm.h5 numbers --model-only -o numbers.lpx -q
expect 0 bits-back-decode numbers.lpx -o - -q
cmp out numbers || die "the text was changed"
for wrong in --fallback-only --store; do
  expect 2 bits-back-encode $wrong --model-only numbers -o none.lpx -q
  says 'does nothing without a model'
done
absent none.lpx
no_leftovers
