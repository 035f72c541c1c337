# A model of orders codes in every order that it knows; its archives come back on any threads and instructions, and
# say how they were made.
. "$CLI_TESTS/bits-back-encode/setup"
make-data hub -n 400 -o hub.h5 -q
train-arm hub.h5 --preset tiny --hidden 16 --steps 60 -o lo.h5 -q
train-arm hub.h5 --preset tiny --hidden 16 --steps 60 --model ao -o ao.h5 -q
train-arm hub.h5 --preset tiny --hidden 16 --steps 60 --policy entropy --variational shared -o sure.h5 -q
echo '1 1 0 0 0 0 0 0' > groups.txt
train-arm hub.h5 --preset tiny --hidden 16 --steps 60 --model biased --groups groups.txt -o groups.h5 -q
bits-back-encode --fallback-only --dataset hub.h5 -o plain.lpx -q && bits-back-decode plain.lpx -o plain -q
code() { # MODEL SETTINGS OPTIONS...: what the archive says, and it comes back
  local model=$1 expected=$2
  shift 2
  expect 0 bits-back-encode "$model" --dataset hub.h5 -o a.lpx -q --force --effort fast --block-items 200 -j 1 "$@"
  expect 0 bits-back-encode "$model" --dataset hub.h5 -o b.lpx -q --force --effort fast --block-items 200 -j 2 "$@"
  cmp a.lpx b.lpx || die "$*: threads change the archive"
  bits-back-decode --list -v a.lpx 2> list-err | grep -q "$expected" || die "$*: not $expected"
  # Of vectors archives say height, too, so headers differ.
  for isa in $ISAS; do
    LOGPX_ISA=$isa expect 0 bits-back-decode "$model" a.lpx -o a -q --force
    cmp <(tail -c 3200 plain) <(tail -c 3200 a) || die "$isa $*: the rows differ"
  done
}
code lo.h5 '"arm_order":"policy"'
code lo.h5 '"arm_order":"greedy"' --arm-order greedy
code lo.h5 '"arm_order":"fixed"' --arm-order fixed
code lo.h5 '"arm_order":"[a-z]*"' --arm-order best
code sure.h5 '"arm_order":"policy"'
code sure.h5 '"arm_order":"greedy"' --arm-order greedy
code ao.h5 '"arm_order":"policy"'
code ao.h5 '"arm_order":"fixed"' --arm-order fixed
code ao.h5 '"group_ends":"[1-7,]*,8","parallel_steps":"4"' --parallel-steps 4
code ao.h5 '"arm_order":"policy","parallel_steps":"8"' --parallel-steps 8
code groups.h5 '"arm_order":"policy"'
expect 2 bits-back-encode ao.h5 --dataset hub.h5 --arm-order greedy -o none.lpx -q
expect 2 bits-back-encode groups.h5 --dataset hub.h5 --arm-order fixed -o none.lpx -q
expect 2 bits-back-encode lo.h5 --dataset hub.h5 --parallel-steps 4 -o none.lpx -q
expect 2 bits-back-encode groups.h5 --dataset hub.h5 --parallel-steps 4 -o none.lpx -q
expect 2 bits-back-encode ao.h5 --dataset hub.h5 --parallel-steps 4 --arm-order fixed -o none.lpx -q
expect 2 bits-back-encode ao.h5 --dataset hub.h5 --parallel-steps 1001 -o none.lpx -q
expect 2 bits-back-encode lo.h5 --dataset hub.h5 --latent-bits 8 -o none.lpx -q
[ ! -e none.lpx ] || die "something was written"
no_leftovers
