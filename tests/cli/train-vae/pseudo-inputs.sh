# A prior of learned inputs: rows held out become more probable, and the model holds a mixture as any other, which whatever
# a model is asked for takes, and to which --fit-prior may be fitted. Threads, an end and a settings file change nothing.
make-data bars -n 3000 -o d.h5 --split train:2400,test:rest -q
learn() { train-vae d.h5:train -o "$@" --hidden 60 --latent 8 --epochs 20 --batch 20 --valid d.h5:test -q; }
learn n.h5 --estimator a
learn v.h5 --prior vamp:12
nats() { elbo-eval "$1" d.h5:test -q "${@:2}" | sed -n '/"log_likelihood"/,/}/p' | awk '/"value"/ { print $2 + 0 }'; }
echo "$(nats n.h5 --method elbo) $(nats v.h5 --method elbo)" | awk '{ print ($2 > $1 + 0.2) }'
tail -n 1 v.history.jsonl | grep -o '"elbo_valid": [-.0-9]*' | cut -d' ' -f2 > ended
echo "$(cat ended) $(nats v.h5 --method elbo --samples 20)" | awk '{ print ($1 - $2)^2 < 0.04 }'
inspect v.h5 -q > v.json
grep -o '"prior": "mixture:12,diag"' v.json
grep -c pseudo v.json
inspect v.h5 --hash -q > hash
LOGPX_THREADS=4 learn t.h5 --prior vamp:12 && inspect t.h5 --hash -q | cmp - hash
part() { train-vae d.h5:train -o "$@" --prior vamp:12 --hidden 60 --latent 8 --batch 20 --valid d.h5:test -q; }
part r.h5 --steps 70 && part r.h5 --resume --force --steps 130 && part s.h5 --steps 130
cmp <(inspect r.h5 --hash -q) <(inspect s.h5 --hash -q)
train-vae d.h5:train -o c.h5 --config v.h5 -q && inspect c.h5 --hash -q | cmp - hash
# Codes come back; what is fitted afterwards says what it gains on this prior, not on N(0, I).
bits-back-encode v.h5 --dataset d.h5:test --as-set -o a.lpx -q && bits-back-decode v.h5 a.lpx -o back.idx -q && ls back.idx
sample-model v.h5 -n 20 -o drawn.h5 -q && ls drawn.h5
elbo-eval --study gradient-variance v.h5 d.h5:test -q || echo "exit $?"
learn i.h5 --prior vamp:12 --objective iwae-dreg --k 3 --epochs 2 && ls i.h5
train-vae d.h5:train -o f.h5 --init-model v.h5 --fit-prior mixture:12 --valid d.h5:test -q
gain=$(tail -n 1 f.history.jsonl | grep -o '"prior_gain": [-.0-9]*' | cut -d' ' -f2)
echo "$(nats v.h5 --method elbo --samples 20) $(nats f.h5 --method elbo --samples 20) $gain" | awk '{ print ($2 - $1 - $3)^2 < 0.04 }'
# What is refused.
try() { rm -f m.*; train-vae d.h5:train -o m.h5 -q "$@" || echo "exit $?"; [ ! -e m.h5 ] || ls m.h5; }
try --prior vamp
try --prior vamp:0
try --prior vamp:2401
try --prior mixture:12
try --prior vamp:12 --estimator b
try --prior vamp:12 --kl-warmup 10
try --prior vamp:12 --objective score-function
try --prior vamp:12 --algorithm mcem
try --prior vamp:12 --ema 0.9
try --prior vamp:12 --init-model v.h5 --fit-prior mixture:12
