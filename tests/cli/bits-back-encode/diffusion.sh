# A diffusion model codes in both orders; its archives come back on any threads and instructions, and say how
# they were made. Settings that make no sense are refused, and nothing is written.
. "$CLI_TESTS/bits-back-encode/setup"
# Pixels that rise and fall together, which a model of normal data knows and its neighbours do not tell.
{
  printf '\0\0\10\3\0\0\0\144\0\0\0\2\0\0\0\4'
  LC_ALL=C awk 'BEGIN { srand(3); for (r = 0; r < 100; r++) { v = -6; for (k = 0; k < 12; k++) v += rand();
    for (c = 0; c < 8; c++) printf "%c", (c * 3 % 4 < 2 ? 1 : -1) * int(30 * v + 4 * rand()) + 128 } }'
} > g.idx
pack-data idx g.idx -o g.h5 -q
train-vdm g.h5 --net linear-gauss --steps 1 -o vdm.h5 -q
make-data digits -n 20 --size 8 -o digits.h5 -q
train-vdm digits.h5 --preset tiny --steps 1 --mse-rows 0 --labels --label-drop 0 -o bound.h5 -q
bits-back-encode --fallback-only --dataset g.h5 -o plain.lpx -q && bits-back-decode plain.lpx -o plain -q
code() { # SETTINGS OPTIONS...: what the archive says, and it comes back
  local expected=$1 trust=()
  shift
  case $* in *--embed-model*) trust=(--trust-embedded-model) ;; esac  # what is embedded may be rounded
  expect 0 bits-back-encode --effort fast vdm.h5 --dataset g.h5 -o a.lpx -q --force --model-only --block-items 50 -j 1 "$@"
  expect 0 bits-back-encode --effort fast vdm.h5 --dataset g.h5 -o b.lpx -q --force --model-only --block-items 50 -j 2 "$@"
  cmp a.lpx b.lpx || die "$*: threads change the archive"
  bits-back-decode --list -v a.lpx 2> list-err | grep -q "$expected" || die "$*: not $expected"
  for isa in $ISAS; do
    LOGPX_ISA=$isa expect 0 bits-back-decode "${trust[@]}" vdm.h5 a.lpx -o a -q --force
    cmp plain a || die "$isa $*: the rows differ"
  done
}
code '"clip_x":"range","grid":"fitted","latent_bits":"","order":"bitswap","timesteps":"50"'
code '"clip_x":"none","grid":"uniform","latent_bits":"","order":"bitswap","timesteps":"30"' \
  --timesteps 30 --grid uniform --clip-x none
code '"latent_bits":"12","order":"bb-ans","timesteps":"50"' --timesteps 50 --order bb-ans --block-items 100
code '"latent_bits":"10","order":"bb-ans"' --timesteps 30 --order bb-ans --latent-bits 10 --block-items 100
code '"latent_bits":"[0-9]*","order":"bb-ans"' --timesteps 30 --order bb-ans --latent-bits auto --block-items 100
code '"timesteps":"20"' --timesteps 20 --embed-model
! grep -q 'more bits' err || die "20 levels are enough"
expect 0 bits-back-encode vdm.h5 --dataset g.h5 -o few.lpx -q --timesteps 3
says 'vdm.h5: --timesteps 3 is expected to cost'
says '% more bits than the bound that it was trained for'
train-vdm g.h5 --net linear-gauss --steps 1 --mse-rows 0 -o unmeasured.h5 -q
expect 0 bits-back-encode unmeasured.h5 --dataset g.h5 -o unmeasured.lpx -q --timesteps 3
! grep -q 'more bits' err || die "nothing is known of its errors"
for wrong in '--latent-bits 8' '--order bb-ans --latent-bits 17' '--timesteps 0' '--timesteps 1000000000' \
  '--timesteps many' '--timesteps 200 --grid fitted' '--order upwards' '--particles 2'; do
  # shellcheck disable=SC2086
  expect 2 bits-back-encode vdm.h5 --dataset g.h5 $wrong -o none.lpx -q
done
# Nothing can be coded where x has a probability only together with its label.
expect 3 bits-back-encode bound.h5 --dataset digits.h5 -o none.lpx -q
[ ! -e none.lpx ] || die "something was written"
no_leftovers
