# Pixels that see those before them: fewer bits than without; scores, draws and codes as of any model; the same bytes for
# any number of threads, any instructions, and a run that was stopped. What has no neighbours is refused.
make-data gray8 -n 900 -o d.h5 --split train:240,test:rest -q
fit() { train-vae d.h5 --likelihood logistic-mix256 --hidden 20 --latent 4 --lr 0.01 --batch 20 -q -o "$@"; }
fit blind.h5 --epochs 10
fit seeing.h5 --epochs 10 --context 12 --context-hidden 16
bits() { elbo-eval "$1" d.h5:test -q "${@:2}" | jq .result.bits_per_dim.value; }
echo "$(bits seeing.h5) $(bits blind.h5)" | awk '{ print ($1 < $2 - 0.1) }'
# Importance weights and annealing follow; the bound of the coder's numbers is the same.
echo "$(bits seeing.h5 --method elbo --samples 20) $(bits seeing.h5 --method iwae --samples 20)" | awk '{ print ($2 < $1 + 1e-6) }'
bits seeing.h5 --method ais --ais-steps 20 --ais-chains 4 --limit 2 | awk '{ print ($1 > 0) }'
echo "$(bits seeing.h5 --det) $(bits seeing.h5 --method elbo)" | awk '{ print ($1 / $2 - 1)^2 < 0.005^2 }'
# Codes come back, and take what that bound says.
bits-back-encode --model-only seeing.h5 --dataset d.h5:test -o a.lpx --report a.json -q > a.out
bits-back-decode seeing.h5 a.lpx -o back.idx -q
bits-back-encode --store --dataset d.h5:test -o stored -q && bits-back-decode stored -o rows.idx -q
cmp back.idx rows.idx && echo "came back"
jq '.result.gap_percent < 0.5 and .result.gap_percent > -0.5' a.json
few() { bits-back-encode --model-only seeing.h5 --dataset d.h5:test --limit 40 -q -o "$@"; }
few some.lpx
for isa in $ISAS; do LOGPX_ISA=$isa few "$isa.lpx" && cmp some.lpx "$isa.lpx"; done
echo "instructions: compared"
few p.lpx --particles 3 && bits-back-decode seeing.h5 p.lpx -o more.idx -q && bits-back-decode seeing.h5 some.lpx -o some.idx -q
cmp more.idx some.idx && echo "particles: came back"
# Draws, alone and in company; means of pixels whose neighbours are known.
sample-model seeing.h5 -n 40 -o many.npy -q -j 1 && sample-model seeing.h5 -n 40 -o again.npy -q -j 4 && cmp many.npy again.npy && echo "draws: same bytes"
sample-model seeing.h5 --reconstruct d.h5:test --index 0:3 -o near.h5 -q && echo "reconstructed"
sample-model seeing.h5 -n 3 --mean -o mean.h5 -q || echo "exit $?"
# Threads, and a run that was stopped.
fit t.h5 --epochs 2 --context 6 --context-share 0.3
inspect t.h5 --hash -q > hash
LOGPX_THREADS=4 fit u.h5 --epochs 2 --context 6 --context-share 0.3 && inspect u.h5 --hash -q | cmp - hash
fit r.h5 --epochs 1 --context 6 --context-share 0.3
fit r.h5 --epochs 2 --context 6 --context-share 0.3 --resume --force && inspect r.h5 --hash -q | cmp - hash && echo "same model"
# What is refused.
make-data bars -n 40 -o bars.h5 -q
make-data gauss -n 40 -o reals.h5 -q
try() { rm -f m.*; train-vae "$@" -o m.h5 --preset tiny -q || echo "exit $?"; [ ! -e m.h5 ] || ls m.h5; }
try reals.h5 --context 12
try d.h5 --context 12 --likelihood gaussian
try d.h5 --context 12 --allow-gray
try bars.h5 --context 12 --algorithm wake-sleep
try bars.h5 --context 25
try bars.h5 --context 12 --context-share 0
