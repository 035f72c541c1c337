# An encoder that is trained along with generator and prior: every kind of prior, scored and coded by it.
make-data bars -n 80 -o bars.h5 -q
for prior in "--latent 2" "--latent 1,3 --coupling independent" "--prior mixture --latent 3,2 --alpha learned"; do
  # shellcheck disable=SC2086
  fit-prior bars.h5 -o m.h5 --force -q --preset tiny --steps 4 --batch 20 --likelihood bernoulli --posterior encoder \
    --k 3 --encoder-hidden 9 --lr-prior 0.01 --eval-every 4 $prior
  jq -c '[has("iwae_valid"), has("iwae_train"), has("kl"), has("log_evidence_valid")]' m.history.jsonl
  elbo-eval m.h5 bars.h5:test --method iwae --samples 4 -q > /dev/null && echo scored
  bits-back-encode m.h5 --dataset bars.h5:test -o x.lpx -q --force
  bits-back-decode m.h5 x.lpx -o back.idx -q --force && echo back
done
