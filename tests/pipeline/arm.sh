# Models of orders are the same bytes for any number of threads and processes, and whether a run was cut in two or
# not, in every way to an order. On another processor too, with --numerics det. What they code comes back.
TRAINER=train-arm
. "$(dirname "$0")/shared/same-bytes"
make-data hub -n 200 -o hub.h5 -q
make-data digits -n 60 --size 8 -o digits.h5 -q
make-data molecules --min-atoms 1 --max-atoms 5 -n 60 -o mol.h5 -q
mpi_ranks 1 2

tiny=(--preset tiny --batch 16 --shards 4 --lr-schedule constant --eval-every 5 -q --force)

check_ranks learned hub.h5 --hidden 16
check ao hub.h5 --hidden 16 --model ao
check entropy hub.h5 --hidden 16 --policy entropy --variational shared
check_ranks pictures digits.h5 --channels 4 --levels 4
# Molecules of one to five atoms, of which every shard has others.
check_ranks "molecules in any order" mol.h5 --model ao
check_ranks "molecules, shared networks" mol.h5 --variational shared
check_ranks "molecules, separate networks" mol.h5 --variational separate

# Ended by a signal and resumed: the model, its checkpoint and its history are those of one run.
long=(train-arm mol.h5 "${tiny[@]}" --steps 300 --checkpoint-every 10 -j 2)
"${long[@]}" -o whole.h5
for signal in KILL TERM; do
  rm -f cut.*
  env --default-signal=INT,TERM,HUP "${long[@]}" -o cut.h5 2> err &
  pid=$!
  for _ in $(seq 600); do
    [ -e cut.ckpt.h5 ] && break
    sleep 0.02
  done
  kill -s $signal $pid
  wait $pid 2> wait.err && { echo "$signal did not end the run"; exit 1; }
  [ ! -e cut.h5 ]
  "${long[@]}" -o cut.h5 --resume
  for kind in h5 ckpt.h5 history.jsonl; do same whole.$kind cut.$kind "resumed after SIG$signal: $kind"; done
done

det=(hub.h5 --hidden 16,8 --numerics det "${tiny[@]}")
old=(env LOGPX_ISA=baseline OPENBLAS_CORETYPE=Nehalem)
train-arm "${det[@]}" --steps 4 -o one.h5
"${old[@]}" train-arm "${det[@]}" --steps 4 -o other.h5
same one.h5 other.h5 "det: another processor"

# From data to draws, bits and files, as the manual has it.
train-arm digits.h5 -o arm.h5 --preset tiny --levels 4 --steps 10 --channels 4 -q
sample-model arm.h5 -n 4 --order-trace steps -o - -q | view-samples - -o drawn.png -q
test -s drawn.png
sample-model arm.h5 --given digits.h5:test --known rows:0-3 --index 0:2 -o - -q | view-samples - -o half.png -q
test -s half.png
train-arm hub.h5 -o lo.h5 --preset tiny --steps 40 --hidden 16 -q
elbo-eval lo.h5 hub.h5 --method exact --limit 5 -q > /dev/null
for order in policy greedy fixed; do
  bits-back-encode --dataset lo.h5 hub.h5:test -o test.lpx --arm-order $order --embed-model --force -q
  bits-back-decode test.lpx --trust-embedded-model -o test.idx --force -q
  "${old[@]}" bits-back-decode lo.h5 test.lpx -j 1 -o old.idx --force -q
  cmp test.idx old.idx
done

# Several values from one look: the groups are the same on another processor, and so are the rows.
train-arm hub.h5 -o ao.h5 --model ao --preset tiny --steps 40 --hidden 16 -q
"${old[@]}" bits-back-encode --dataset ao.h5 hub.h5:test -o old-groups.lpx --parallel-steps 3 --no-times -q
bits-back-encode --dataset ao.h5 hub.h5:test -o groups.lpx --parallel-steps 3 --no-times -q
cmp groups.lpx old-groups.lpx
"${old[@]}" bits-back-decode ao.h5 groups.lpx -o old.idx --force -q
cmp test.idx old.idx

# Molecules as a set, on another processor too: fewer bytes, in whatever order and numbering they were.
train-arm mol.h5 -o mol.arm.h5 --preset tiny --steps 40 -q
for how in '' --as-set; do
  bits-back-encode mol.arm.h5 --dataset mol.h5 -o "mol$how.lpx" $how --model-only -q
  "${old[@]}" bits-back-decode mol.arm.h5 "mol$how.lpx" -j 1 -o "mol$how.idx" -q
done
[ "$(stat -c %s mol--as-set.lpx)" -lt "$(stat -c %s mol.lpx)" ]
bits-back-encode --fallback-only --dataset mol.h5 --as-set -o sorted.lpx -q
bits-back-decode sorted.lpx -o sorted.idx -q
cmp <(tail -c 900 sorted.idx) <(tail -c 900 mol--as-set.idx)
