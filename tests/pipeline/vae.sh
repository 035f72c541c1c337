# VAEs are the same bytes for any number of threads and processes, and whether a run was cut in two or not:
# for every algorithm, objective, network and likelihood.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export SOURCE_DATE_EPOCH=0 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
make-data digits -n 240 --size 8 -o digits.h5 -q
make-data bars -n 240 -o bars.h5 -q
make-data gauss -n 240 -o gauss.h5 -q
ranks=(1 2 4)
command -v mpirun > /dev/null && ! train-vae --version | grep -q '^mpi left out' || ranks=()

tiny=(--hidden 8 --latent 2 --batch 32 --shards 4 --ema 0.9 --eval-every 5 -q --force)
same() { cmp "$1" "$2" || { echo "$3"; exit 1; }; }

# check NAME ARGS...: 1, 2 and 4 threads; 10 steps = 5 + 5.
check() {
  local name=$1 threads
  shift
  train-vae "$@" "${tiny[@]}" --steps 10 -o one.h5 -j 1
  for threads in 2 4; do
    train-vae "$@" "${tiny[@]}" --steps 10 -o other.h5 -j $threads
    same one.h5 other.h5 "$name: $threads threads"
  done
  train-vae "$@" "${tiny[@]}" --steps 5 -o half.h5 -j 2
  train-vae "$@" "${tiny[@]}" --steps 10 -o half.h5 -j 1 --resume
  same one.h5 half.h5 "$name: resumed"
  same one.history.jsonl half.history.jsonl "$name: history"
}
# And 1, 2 and 4 processes.
check_ranks() {
  local name=$1 count
  check "$@"
  shift
  for count in "${ranks[@]}"; do
    mpirun -n "$count" --oversubscribe train-vae "$@" "${tiny[@]}" --steps 10 -o ranks.h5 -j 1
    same one.h5 ranks.h5 "$name: $count processes"
  done
}

check_ranks elbo digits.h5 --binarise dynamic
check_ranks conv digits.h5 --binarise static --encoder conv --conv-width 0.1
check score-function bars.h5 --objective score-function
check_ranks wake-sleep bars.h5 --algorithm wake-sleep
check_ranks mcem bars.h5 --algorithm mcem
check estimator-a bars.h5 --estimator a --samples 3
check beta bars.h5 --objective beta --beta 2 --kl-warmup 6
check iwae bars.h5 --objective iwae --k 3
check dreg bars.h5 --objective iwae-dreg --k 3
check free-bits bars.h5 --free-bits 0.1 --weight-prior normal:1 --optimizer adagrad
check linear gauss.h5 --encoder linear --likelihood gaussian-fixed --obs-std learn
check gaussian gauss.h5 --likelihood gaussian --center
for likelihood in discretised-gaussian logistic256 logistic-mix256 beta-binomial categorical; do
  check $likelihood digits.h5 --likelihood $likelihood
done
check gray digits.h5 --allow-gray
check dequantised digits.h5 --likelihood gaussian --dequantise uniform

# --numerics det: any instruction set and any BLAS give one model, and a run may move between machines.
det=(digits.h5 --binarise static --encoder conv --conv-width 0.1 --numerics det --keep-best \
  --optimizer adagrad --lr auto --lr-probe 3 "${tiny[@]}")
old=(env LOGPX_ISA=baseline OPENBLAS_CORETYPE=Nehalem)
train-vae "${det[@]}" --steps 10 -o one.h5
"${old[@]}" train-vae "${det[@]}" --steps 10 -o other.h5
same one.h5 other.h5 "det: another processor"
same one.history.jsonl other.history.jsonl "det: history on another processor"
"${old[@]}" train-vae "${det[@]}" --steps 5 -o half.h5
train-vae "${det[@]}" --steps 10 -o half.h5 --resume
same one.h5 half.h5 "det: moved between processors"
