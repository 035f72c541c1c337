# A dataset as a set: the same archive in whatever order its rows were, rows that come back ascending, and a report of
# what order and labels gave back; refused where the model tells numberings apart.
. "$CLI_TESTS/bits-back-encode/setup"
make-data molecules --min-atoms 1 --max-atoms 4 --split train:400,test:rest -o mol.h5 -q
learn=(train-arm mol.h5 --preset tiny --steps 200 --lr 1e-2 --lr-warmup 0 -q)
"${learn[@]}" -o lo.h5
"${learn[@]}" --model ao -o ao.h5
"${learn[@]}" --model fixed -o fixed.h5
"${learn[@]}" --extra-features all -o all.h5
# The list of rows, and the same sorted: molecules of this dataset are in their canonical form already.
for how in '' --as-set; do
  expect 0 bits-back-encode --fallback-only --dataset mol.h5:test $how -o plain.lpx -q --force
  bits-back-decode plain.lpx -o "list$how.idx" -q
done
rows=$((($(stat -c %s list.idx) - 12) / 10))
lines() { tail -c $((10 * rows)) "$1" | od -An -v -tu1 -w10; }
cmp <(lines list.idx | LC_ALL=C sort -n -k1,1 -k2,2 -k3,3 -k4,4 -k5,5 -k6,6 -k7,7 -k8,8 -k9,9 -k10,10) <(lines list--as-set.idx) ||
  die "the adaptive coder's set is not that of the rows, ascending"
code() { # MODEL OPTIONS...
  expect 0 bits-back-encode "$1" --dataset mol.h5:test --as-set -o a.lpx --model-only --force -j 1 --report a.json "${@:2}"
  grep -Eq "$rows rows as a set: [0-9.]+ bits each, of [0-9.]+ less [0-9.]+ for labels and [0-9.]+ for order" err ||
    die "$*: nothing is said of what the set saved"
  expect 0 bits-back-encode "$1" --dataset mol.h5:test --as-set -o b.lpx --model-only --force -j 2 -q "${@:2}"
  cmp a.lpx b.lpx || die "$*: threads change the archive"
  for isa in $ISAS; do
    LOGPX_ISA=$isa expect 0 bits-back-decode "$1" a.lpx -o a.idx -q --force
    cmp <(lines list--as-set.idx) <(lines a.idx) || die "$isa $*: the set differs"
  done
}
code lo.h5
code lo.h5 --arm-order greedy
code lo.h5 --arm-order fixed
code lo.h5 --block-items 50
jq -e '.result.set.paid_order.bits > 100' a.json > /dev/null || die "blocks do not say what they pay for order"
code ao.h5
code lo.h5 --arm-order policy
bits-back-decode --list -v a.lpx 2> list-err | grep -q 'blocks of the model are sets' || die "the list does not say that it is a set"
# What is paid is the bound without labels and the number of atoms, less what the order gave back.
elbo-eval lo.h5 mol.h5:test --samples 30 -q > bound.json
jq -e -n --slurpfile c a.json --slurpfile b bound.json '($c[0].result.set | .net.bits_per_item - .order.bits_per_item) /
  ($b[0].result.molecules | -(.unlabelled.value + .with_n.value - .given_n.value) / (2 | log)) | . > 0.99 and . < 1.01' > /dev/null ||
  die "the net length is not that of the bound"
# Other rows have no labels: of pictures the order is given up.
make-data bars -n 200 -o bars.h5 -q
train-vae bars.h5 -o vae.h5 --preset tiny --steps 40 -q
expect 0 bits-back-encode vae.h5 --dataset bars.h5 --as-set --model-only -o bars.lpx
says " for order"
! grep -q "for labels" err || die "pictures have labels"
expect 0 bits-back-decode vae.h5 --test bars.lpx -q
# Another order of the same rows, and the set itself coded again, make the same archive.
bits-back-encode --fallback-only --dataset bars.h5 -o plain.lpx -q --force && bits-back-decode plain.lpx -o bars.idx -q
bits-back-decode vae.h5 bars.lpx -o ascending.idx -q
for name in bars ascending; do
  mkdir -p $name && pack-data idx $name.idx -o $name/rows.h5 -q
  (cd $name && bits-back-encode ../vae.h5 --dataset rows.h5 --as-set --model-only -o rows.lpx -q)
done
cmp bars/rows.lpx ascending/rows.lpx || die "the archive of a set depends on its order"
# Refused.
refused() { # WHY COMMAND...
  expect 2 bits-back-encode "${@:2}" -o none.lpx
  says "$1"
}
refused "this one tells numberings apart by its fixed order" fixed.h5 --dataset mol.h5:test --as-set
refused "this one tells numberings apart by its features of the spectrum" all.h5 --dataset mol.h5:test --as-set
refused "--as-set: is for the rows of a dataset (--dataset)" list--as-set.idx --as-set
refused "--as-set: takes one dataset for an archive" --fallback-only --dataset mol.h5 bars.h5 --as-set
expect 5 bits-back-encode --fallback-only --dataset mol.h5 --as-set --memory 1K -o none.lpx
says "to be sorted, more than"
absent none.lpx
no_leftovers
