# Circuits are the same bytes for any number of threads and processes, and whether a run was cut in two or not:
# for every structure and rule. On another processor too, with --numerics det.
TRAINER=train-pc
. "$(dirname "$0")/shared/same-bytes"
make-data hmm-text -n 300 --length 20 --alphabet 12 -o text.h5 -q
make-data digits -n 240 --size 8 -o digits.h5 -q
make-data tree -n 300 --dim 6 -o tree.h5 -q
mpi_ranks 1 2 4

tiny=(--preset tiny --batch 32 --shards 4 --lr 0.5 --lr-schedule constant --eval-every 5 -q --force)

check_ranks hmm text.h5
check dense text.h5 --hidden 7 --em-rule params
check sqrt text.h5 --time-checkpoint sqrt
check momentum text.h5 --em-rule momentum
check_ranks hclt tree.h5 --structure hclt
check monarch-tree tree.h5 --structure hclt --factors 2,3 --program 1,2,1
check dynamic digits.h5 --binarise dynamic --hidden 6
check levels digits.h5 --hidden 4 --init from-data --dictionary 0
check_ranks styles digits.h5 --hidden 4 --styles 3
for seed in 1 2; do train-pc text.h5 -o factor$seed.h5 "${tiny[@]}" --hidden $((seed + 2)) --steps 4 -s $seed; done
check_ranks product text.h5 --init product:factor1.h5,factor2.h5
check perturbed text.h5 --init product:factor1.h5,factor1.h5 --perturb 0.2
check grown text.h5 --init-model factor1.h5 --grow 2 --noise 0.3
check_ranks quad-graph digits.h5 --structure quad-graph --hidden 3
for regions in quad-tree pd rat; do check "$regions" digits.h5 --structure "$regions" --hidden 3; done
check mixture digits.h5 --binarise static --structure mixture

# --numerics det: any instruction set and any BLAS give one model.
det=(text.h5 --factors 4,4 --numerics det --keep-best "${tiny[@]}")
old=(env LOGPX_ISA=baseline OPENBLAS_CORETYPE=Nehalem)
train-pc "${det[@]}" --steps 10 -o one.h5
"${old[@]}" train-pc "${det[@]}" --steps 10 -o other.h5
same one.h5 other.h5 "det: another processor"

# Messages kept or computed again, and rows in smaller parts: the same model but for rounding.
train-pc text.h5 "${tiny[@]}" --steps 6 -o all.h5
train-pc text.h5 "${tiny[@]}" --steps 6 --time-checkpoint 3 --micro-batch 5 -o parts.h5
elbo-eval all.h5 text.h5 -q --report all.json > /dev/null
elbo-eval parts.h5 text.h5 -q --report parts.json > /dev/null
nats() { sed -n '/"log_likelihood"/,/}/s/.*"value": \(.*\),/\1/p' "$1"; }
awk -v a="$(nats all.json)" -v b="$(nats parts.json)" \
  'BEGIN { exit !((a - b) / a < 1e-5 && (b - a) / a < 1e-5) }' || { echo "parts differ: $(nats all.json) $(nats parts.json)"; exit 1; }
