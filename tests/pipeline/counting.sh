# Training by expectation maximisation: nothing of rates, optimisers and averages is offered, stored
# or planned for, and the bytes are the same for any threads, any number of counts in flight, and
# when the run is stopped.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export SOURCE_DATE_EPOCH=0
train=(train-counts 500 --batch 250 --shards 8 --epochs 6 -q)

train-counts --help-all > help
for option in --lr --lr-schedule --optimizer --beta1 --clip-norm --ema --conv --recompute; do
  if grep -q -e " $option[ ,=]" help; then echo "offers $option"; exit 1; fi
done
grep -q -e ' --keep-best' help
status=0
"${train[@]}" -o no.h5 --lr 0.1 2> err || status=$?
[ $status = 2 ]
grep -q 'unknown option --lr' err

train-counts 500 --batch 250 --shards 8 --epochs 6 -o m.h5 --dry-run > plan 2>&1
grep -q ' gradients ' plan
if grep -q optimiser plan; then echo "plans for an optimiser"; exit 1; fi

"${train[@]}" -o m.h5 -j 1
inspect m.ckpt.h5 > tensors
grep -q 'components/probabilities' tensors
if grep -q 'optimizer' tensors; then echo "keeps slots"; exit 1; fi
if grep -q -e '"lr"' -e 'grad_norm' m.history.jsonl; then echo "writes of rates"; exit 1; fi
grep -q '"log_p"' m.history.jsonl

"${train[@]}" -o threads.h5 -j 4
"${train[@]}" -o flight.h5 -j 2 --in-flight 2
"${train[@]}" -o part.h5 --epochs 2
"${train[@]}" -o part.h5 --resume --force
cmp m.h5 threads.h5
cmp m.ckpt.h5 threads.ckpt.h5
cmp m.h5 part.h5
[ "$(inspect -q --hash flight.h5)" = "$(inspect -q --hash m.h5)" ]

command -v mpirun > /dev/null || { echo "no mpirun here"; exit 0; }
train-counts --version | grep -q '^mpi left out' && { echo "built without MPI"; exit 0; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
mpirun -n 2 --oversubscribe "${train[@]}" -o ranks.h5 -j 1
mpirun -n 2 --oversubscribe "${train[@]}" -o ranks-flight.h5 -j 1 --in-flight 1
cmp m.h5 ranks.h5
cmp m.ckpt.h5 ranks.ckpt.h5
[ "$(inspect -q --hash ranks-flight.h5)" = "$(inspect -q --hash m.h5)" ]
