# From data to an energy-based prior, its evidence, its draws and its charts; and KAEMs are the same bytes
# for any number of threads and processes, killed and resumed or not, for every prior and likelihood.
TRAINER=fit-prior
. "$(dirname "$0")/shared/same-bytes"

# The chain.
make-data digits -n 600 --size 8 -o d.h5 -q
fit-prior d.h5 -o k.h5 --preset tiny --steps 60 --eval-every 20 -q
inspect k.h5 --check > inspect.json 2> err
grep -q '"family": "kaem"' inspect.json
sample-model k.h5 -n 64 -o s.h5 -q
view-samples s.h5 -o s.png -q
plot-report k.history.jsonl -o k.gp -q
sample-its k.h5 -n 64 --decode -o its.h5 -q
view-samples its.h5 -o its.png -q
explain-prior k.h5 --report e.json -q > out
plot-report e.json -o prior.svg -q
prune-prior k.h5 -o p.h5 -q
sample-its p.h5 -n 5 -o z.csv -q
printf '0,0\n1,2\n' | sample-its --density - -n 5 -o x.csv -q
score() { # METHOD OPTIONS...
  elbo-eval k.h5 d.h5:test --method "$@" --limit 4 --report "$1.json" -q > out
  grep -q '"unit": "nats"' "$1.json"
}
score is --samples 200
score ais --ais-steps 20 --ais-reverse
score quadrature
score ti --temps 4 --ais-chains 8
# After 60 updates the evidence of held-out rows is above that after 20.
sed 's/.*"log_evidence_valid": \([-0-9.]*\),.*/\1/' k.history.jsonl > evidence
awk 'NR == 1 { first = $1 } END { exit !(NR == 3 && $1 > first) }' evidence

make-data bars -n 240 -o bars.h5 -q
make-data digits -n 240 --size 8 -o digits.h5 -q
make-data gauss -n 240 -o gauss.h5 -q
make-data tree -n 240 -o tree.h5 -q
mpi_ranks 1 2
tiny=(--preset tiny --batch 32 --shards 4 --eval-every 5 -q --force)
check fixed bars.h5 --no-grid-update --ema 0.9 --optimizer adagrad
tiny+=(--grid-every 3)

check_ranks shared digits.h5
check_ranks mixture bars.h5 --prior mixture --latent 3,2 --alpha learned --alpha-reg entropy --lambda-alpha 0.1
check_ranks independent bars.h5 --coupling independent --resampler residual --ess 1
check contrast bars.h5 --coupling independent --prior-grad cd
check noise digits.h5 --train-noise 0.1 --resampler systematic --base uniform
check_ranks batchnorm digits.h5 --generator cnn --batchnorm
check bits digits.h5 --likelihood bernoulli --binarise dynamic --base none
check categorical tree.h5 --likelihood categorical --base lognormal
check reals gauss.h5 --mean-activation identity --obs-std learn --base learnable-gaussian
chains=(--langevin-steps 5 --eta 0.002)
check_ranks ula digits.h5 --posterior ula --train-noise 0.1 "${chains[@]}"
check_ranks exchange digits.h5 --posterior mala --support reflect --objective se --temps 3 --p-start 2 --p-end 2 \
  --persistent "${chains[@]}"
check_ranks logits digits.h5 --posterior mala --support u-space --coupling shared --persistent "${chains[@]}"
check automala bars.h5 --posterior automala --prior mixture --latent 3,2 --alpha learned "${chains[@]}"
check together bars.h5 --posterior ula --objective mle-pt --temps 3 --p-start 1 --p-end 1 --swap deo \
  --swap-scope shard --prior-grad cd "${chains[@]}"
check frozen bars.h5 --freeze prior --generator mlp
check pictures digits.h5 --generator cnn
check reused digits.h5 --init-prior k.h5 --freeze prior --generator mlp
check_ranks charged digits.h5 --lambda-reg 0.1
check_ranks charged-chains bars.h5 --posterior ula --langevin-steps 3 --eta 0.002 --lambda-reg 0.1
check axes digits.h5 --pca 6 --whiten --mean-activation identity --obs-std 0.5
check splines bars.h5 --basis bspline --degree 3

# Killed in the middle, and gone on with; persistent chains and the temperatures' schedule, too.
whole=(digits.h5 --preset tiny --batch 32 --checkpoint-every 20 --eval-every 50 -q --force)
check_killed() { # NAME ARGS...
  local name=$1 signal pid
  shift
  fit-prior "${whole[@]}" "$@" -o whole.h5
  for signal in KILL TERM INT; do
    env --default-signal=INT,TERM,HUP fit-prior "${whole[@]}" "$@" -o pieces.h5 --resume 2> err &
    pid=$!
    sleep 0.2
    kill -s $signal $pid 2> kill.err || true
    wait $pid 2> wait.err || true
  done
  fit-prior "${whole[@]}" "$@" -o pieces.h5 --resume
  same whole.h5 pieces.h5 "$name: killed and resumed"
  same whole.ckpt.h5 pieces.ckpt.h5 "$name: killed and resumed: checkpoint"
  same whole.history.jsonl pieces.history.jsonl "$name: killed and resumed: history"
  [ -z "$(find . -name '*.tmp.*')" ]
  rm whole.* pieces.*
}
check_killed weights --steps 300
check_killed chains --steps 80 --posterior automala --support reflect --objective mle-pt --temps 2 --persistent \
  "${chains[@]}"

# --numerics det: any instruction set and any BLAS give one model, and a run may move between machines.
det=(digits.h5 --numerics det --keep-best "${tiny[@]}")
old=(env LOGPX_ISA=baseline OPENBLAS_CORETYPE=Nehalem)
fit-prior "${det[@]}" --steps 10 -o one.h5
"${old[@]}" fit-prior "${det[@]}" --steps 10 -o other.h5
same one.h5 other.h5 "det: another processor"
same one.history.jsonl other.history.jsonl "det: history on another processor"
"${old[@]}" fit-prior "${det[@]}" --steps 5 -o half.h5
fit-prior "${det[@]}" --steps 10 -o half.h5 --resume
same one.h5 half.h5 "det: moved between processors"
for way in "ula --support reflect" "mala --support u-space --coupling shared" "automala --objective se --temps 2"; do
  # shellcheck disable=SC2086
  fit-prior "${det[@]}" "${chains[@]}" --posterior $way --steps 5 -o one.h5
  # shellcheck disable=SC2086
  "${old[@]}" fit-prior "${det[@]}" "${chains[@]}" --posterior $way --steps 5 -o other.h5
  same one.h5 other.h5 "det: $way on another processor"
done

# An encoder for each coupling of a model that is done: the same bytes, and the model stays as it was.
tiny=(--preset tiny --batch 32 --shards 4 --eval-every 5 -q --force)
fit-prior digits.h5 -o shared.h5 --preset tiny --steps 60 -q
fit-prior bars.h5 -o mixture.h5 --preset tiny --steps 20 --prior mixture --latent 3,2 --likelihood categorical -q
fit-prior bars.h5 -o independent.h5 --preset tiny --steps 20 --coupling independent --basis bspline -q
check_ranks "encoder, shared" digits.h5 --encoder-for shared.h5
check "encoder, mixture" bars.h5 --encoder-for mixture.h5 --ema 0.9
check "encoder, independent" bars.h5 --encoder-for independent.h5
det=(digits.h5 --encoder-for shared.h5 --numerics det "${tiny[@]}" --steps 10)
fit-prior "${det[@]}" -o one.h5
"${old[@]}" fit-prior "${det[@]}" -o other.h5
same one.h5 other.h5 "encoder, det: another processor"
