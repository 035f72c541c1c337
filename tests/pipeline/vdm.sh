# Diffusion models are the same bytes for any number of threads and processes, and whether a run was cut in two or
# not: for every network and loss. On another processor too, with --numerics det. What they code comes back.
TRAINER=train-vdm
. "$(dirname "$0")/shared/same-bytes"
make-data gray8 -n 120 -o grey.h5 -q
make-data digits -n 120 --size 8 -o digits.h5 -q
make-data gauss -n 200 --dim 3 -o reals.h5 -q
mpi_ranks 1 2

tiny=(--preset tiny --batch 16 --shards 4 --lr-schedule constant --eval-every 5 --mse-rows 8 -q --force)

check_ranks unet grey.h5 --channels 4
check labels digits.h5 --channels 4 --labels --augment flip
check steps grey.h5 --channels 4 --timesteps 10 --schedule monotone --schedule-hidden 5
check boundary grey.h5 --channels 4 --endpoint-grad boundary
check_ranks reals reals.h5 --schedule monotone --schedule-hidden 5

det=(grey.h5 --channels 4 --numerics det "${tiny[@]}")
old=(env LOGPX_ISA=baseline OPENBLAS_CORETYPE=Nehalem)
train-vdm "${det[@]}" --steps 4 -o one.h5
"${old[@]}" train-vdm "${det[@]}" --steps 4 -o other.h5
same one.h5 other.h5 "det: another processor"

# From data to draws, bits and files, as the manual has it.
train-vdm digits.h5 -o vdm.h5 --preset tiny --labels --steps 20 --channels 8 -q
elbo-eval vdm.h5 digits.h5 --timesteps 50 --limit 5 -q > /dev/null
sample-model vdm.h5 -n 4 --class 7 --guidance 1 --sampler dpm2m -o - -q | view-samples - -o sevens.png -q
test -s sevens.png
for order in bitswap bb-ans; do
  bits-back-encode --effort fast --dataset vdm.h5 digits.h5:test -o test.lpx --timesteps 10 --order $order --embed-model --force -q
  bits-back-decode test.lpx --trust-embedded-model -o test.idx --force -q
  "${old[@]}" bits-back-decode vdm.h5 test.lpx -j 1 -o old.idx --force -q
  cmp test.idx old.idx
done
