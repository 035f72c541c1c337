# One, two and four processes train the same model, byte for byte; threads do not matter either.
command -v mpirun > /dev/null || { echo "no mpirun here"; exit 0; }
train-fixture --version | grep -q '^mpi left out' && { echo "built without MPI"; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export SOURCE_DATE_EPOCH=0 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
train=(train-fixture 300 --epochs 4 --batch 64 --shards 4 --ema 0.9 --clip-norm 0.5 -q)

"${train[@]}" -o one.h5 -j 1
"${train[@]}" -o threads.h5 -j 4
cmp one.h5 threads.h5
for ranks in 1 2 4; do
  mpirun -n $ranks --oversubscribe "${train[@]}" -o ranks.h5 -j 1 --force
  cmp one.h5 ranks.h5
done

# What evaluations choose is chosen alike.
choose=(--lr auto --lr-probe 4 --keep-best)
"${train[@]}" "${choose[@]}" -o chosen.h5 -j 2
mpirun -n 2 --oversubscribe "${train[@]}" "${choose[@]}" -o ranks.h5 -j 1 --force
cmp chosen.h5 ranks.h5

# A number of ranks that cannot share the shards is refused, with the way out.
status=0
mpirun -n 4 --oversubscribe train-fixture 300 --batch 64 --epochs 1 -o no.h5 2> err || status=$?
[ $status = 2 ]
grep -q -e '--shards 4' err
status=0
mpirun -n 3 --oversubscribe "${train[@]}" -o no.h5 2> err || status=$?
[ $status = 2 ]
grep -q 'power of two' err
[ ! -e no.h5 ]

# What all ranks find is said once; what one alone finds comes with its number, and ends all.
errors() { grep -c "^train-fixture: error:" err; }
status=0
mpirun -n 2 --oversubscribe "${train[@]}" -o no.h5 --lr fast 2> err || status=$?
[ $status = 2 ]
[ "$(errors)" = 1 ]
status=0
mpirun -n 2 --oversubscribe "${train[@]}" -o no.h5 --lr 1e30 2> err || status=$?
[ $status = 4 ]
[ "$(errors)" = 1 ]
grep -q 'first at rows .*components' err
rm -f no.*
status=0
mpirun --oversubscribe -n 1 "${train[@]}" -o no.h5 : -n 1 "${train[@]}" -o no.h5 --batch none 2> err ||
  status=$?
[ $status = 2 ]
[ "$(errors)" = 1 ]
grep -q "error: rank 1: --batch: 'none'" err
status=0
mpirun --oversubscribe -n 2 bash -c '[ $OMPI_COMM_WORLD_RANK = 1 ] || ulimit -f 2; exec "$@"' - \
  "${train[@]}" -o no.h5 --components 500 --force 2> err || status=$?
[ $status = 1 ]
[ "$(errors)" = 1 ]
grep -q 'error: no.ckpt.h5.*: file too large' err
[ ! -e no.h5 ]
[ ! -e no.ckpt.h5 ]

# Interrupted with two ranks, resumed with one.
mpirun -n 2 --oversubscribe "${train[@]}" -o part.h5 --nap-ms 200 --checkpoint-every 1 2> err &
for _ in $(seq 300); do
  [ -e part.ckpt.h5 ] && break
  sleep 0.1
done
kill -TERM $!
wait $! || true
[ ! -e part.h5 ]
[ -e part.ckpt.h5 ]
"${train[@]}" -o part.h5 --resume
cmp one.h5 part.h5

# A signal alone makes a checkpoint: no rank leaves while the first still writes it.
mpirun -n 2 --oversubscribe "${train[@]}" -o late.h5 --nap-ms 200 --checkpoint-every 0 2> err &
for _ in $(seq 300); do
  [ -s late.history.jsonl ] && break
  sleep 0.1
done
kill -TERM $!
wait $! || true
[ -e late.ckpt.h5 ]
"${train[@]}" -o late.h5 --resume
cmp one.h5 late.h5

# A rank that dies ends all, and the checkpoint goes on where it was.
mpirun -n 4 --oversubscribe bash -c '[ $OMPI_COMM_WORLD_RANK = 2 ] && echo $$ > dies; exec "$@"' - \
  "${train[@]}" -o torn.h5 --nap-ms 200 --checkpoint-every 1 > err 2>&1 &
for _ in $(seq 300); do
  [ -e torn.ckpt.h5 ] && break
  sleep 0.1
done
kill -KILL "$(cat dies)"
status=0
wait $! || status=$?
[ $status != 0 ]
grep -q 'exited on signal 9' err
[ ! -e torn.h5 ]
"${train[@]}" -o torn.h5 --resume
cmp one.h5 torn.h5
