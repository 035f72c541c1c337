# Rows of molecules as one archive and back, in every order, by any threads and instructions; an array with a row that
# is no molecule goes without the model, and comes back.
. "$CLI_TESTS/bits-back-encode/setup"
make-data molecules --min-atoms 1 --max-atoms 4 --split train:500,test:200 -n 700 -o mol.h5 -q
learn=(train-arm mol.h5 --preset tiny --steps 40 --batch 32 --lr 1e-2 --lr-warmup 0 -q)
"${learn[@]}" -o lo.h5
"${learn[@]}" --model ao -o ao.h5
"${learn[@]}" --model biased -o bonds.h5
"${learn[@]}" --policy entropy --variational shared -o sure.h5
bits-back-encode --fallback-only --dataset mol.h5:test -o plain.lpx -q && bits-back-decode plain.lpx --to npy -o plain.npy -q
code() { # MODEL OPTIONS...
  expect 0 bits-back-encode "$1" --dataset mol.h5:test -o a.lpx -q --force --model-only --effort fast --block-items 40 -j 1 "${@:2}"
  expect 0 bits-back-encode "$1" --dataset mol.h5:test -o b.lpx -q --force --model-only --effort fast --block-items 40 -j 2 "${@:2}"
  cmp a.lpx b.lpx || die "$*: threads change the archive"
  bits-back-decode --list -v a.lpx 2> list-err | grep -q '"arm_order":"' || die "$*: without the model"
  for isa in $ISAS; do
    LOGPX_ISA=$isa expect 0 bits-back-decode "$1" a.lpx --to npy -o a.npy -q --force
    cmp <(tail -c 2000 plain.npy) <(tail -c 2000 a.npy) || die "$isa $*: the rows differ"
  done
}
code lo.h5
code lo.h5 --arm-order greedy
code lo.h5 --arm-order fixed
code lo.h5 --arm-order best
code sure.h5
code sure.h5 --arm-order greedy
code ao.h5
code bonds.h5
# What a file takes is what the coder's own numbers say, but for the draws of the order.
bits-back-encode lo.h5 --dataset mol.h5:test --effort fast -o a.lpx --report code.json --force -q
elbo-eval lo.h5 mol.h5:test --det -q > bound.json
jq -e -n --slurpfile c code.json --slurpfile b bound.json \
  '($c[0].result | .likelihood.bits + .prior.bits + .posterior.bits) / $b[0].result.total_bits.value | . > 0.99 and . < 1.01' > /dev/null ||
  die "the length is not that of the bound"
# Bits per dim are of the dims that molecules have, coded or decoded.
bits-back-decode lo.h5 a.lpx --to npy -o c.npy --report decoded.json -q
jq -e -n --slurpfile c code.json --slurpfile d decoded.json --slurpfile b bound.json \
  '[$c[0], $d[0]] | map(.result.dims) | unique == [$b[0].result.bits_per_dim.dims_observed]' > /dev/null ||
  die "the report counts other dims than those of the molecules"
header=$(($(stat -c %s plain.npy) - 2000))
{ head -c $((header + 500)) plain.npy; printf '\005'; tail -c 1499 plain.npy; } > odd.npy
expect 0 bits-back-encode lo.h5 odd.npy -o odd.lpx --effort fast -q
expect 0 bits-back-decode lo.h5 odd.lpx -o back.npy -q
cmp odd.npy back.npy || die "an array with a row that is no molecule differs"
no_leftovers
