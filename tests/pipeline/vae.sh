# VAEs are the same bytes for any number of threads and processes, and whether a run was cut in two or not:
# for every algorithm, objective, network and likelihood.
TRAINER=train-vae
. "$(dirname "$0")/shared/same-bytes"
make-data digits -n 240 --size 8 -o digits.h5 -q
make-data bars -n 240 -o bars.h5 -q
make-data gauss -n 240 -o gauss.h5 -q
mpi_ranks 1 2 4

tiny=(--preset tiny --latent 2 --batch 32 --shards 4 --ema 0.9 --eval-every 5 -q --force)

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
