# A mixture fitted to the codes of a model: encoder and decoder keep every byte, rows held out become more probable,
# and whatever a model is asked for goes on working. What it cannot be fitted to is refused, and nothing is written.
make-data bars -n 3000 -o d.h5 --split train:2400,test:rest -q
train-vae d.h5 -o vae.h5 --hidden 60 --latent 8 --epochs 20 --batch 20 -q
fit() { train-vae d.h5 -o "$@" --valid d.h5:test -q; }
fit p.h5 --init-model vae.h5 --fit-prior mixture:12
fit q.h5 --init-model vae.h5 --fit-prior mixture:12,diag
nats() { elbo-eval "$1" d.h5:test -q "${@:2}" | sed -n '/"log_likelihood"/,/}/p' | awk '/"value"/ { print $2 + 0 }'; }
echo "$(nats vae.h5 --method elbo) $(nats q.h5 --method elbo) $(nats p.h5 --method elbo)" |
  awk '{ print ($2 > $1 + 0.2), ($3 > $1 + 0.2) }'
gain=$(tail -n 1 p.history.jsonl | grep -o '"prior_gain": [-.0-9]*' | cut -d' ' -f2)
echo "$(nats vae.h5 --method elbo --samples 20) $(nats p.h5 --method elbo --samples 20) $gain" | awk '{ print ($2 - $1 - $3)^2 < 0.04 }'
# Only the prior is new.
view() { h5dump -d "/params/raw/$2" "$1" 2> /dev/null | sed 1d; }
for tensor in encoder/hidden0/w decoder/hidden0/w; do cmp <(view vae.h5 $tensor) <(view p.h5 $tensor) && echo same; done
# Threads and a run that was stopped give the same model.
inspect p.h5 --hash -q > hash
LOGPX_THREADS=4 fit t.h5 --init-model vae.h5 --fit-prior mixture:12 && inspect t.h5 --hash -q | cmp - hash
fit r.h5 --init-model vae.h5 --fit-prior mixture:12 --steps 5
fit r.h5 --init-model vae.h5 --fit-prior mixture:12 --resume --force --steps 12
fit s.h5 --init-model vae.h5 --fit-prior mixture:12 --steps 12
cmp <(inspect r.h5 --hash -q) <(inspect s.h5 --hash -q)
# Codes come back, and are as long as the bound says.
bits-back-encode p.h5 --dataset d.h5:test -o a.lpx -q && bits-back-decode p.h5 a.lpx -o back.idx -q
bits-back-encode p.h5 --dataset d.h5:test -o b.lpx --particles 4 -q && bits-back-decode p.h5 b.lpx -o more.idx -q
cmp back.idx more.idx && echo "came back"
sample-model p.h5 -n 20 -o drawn.h5 -q && view-samples drawn.h5 --limit 20 -o drawn.png -q && ls drawn.png
nats p.h5 --method ais --ais-steps 50 --limit 5 | awk '{ print ($1 < 0) }'
# What is refused.
try() { rm -f m.*; train-vae d.h5 -o m.h5 -q "$@" || echo "exit $?"; [ ! -e m.h5 ] || ls m.h5; }
try --fit-prior mixture:12
try --init-model vae.h5
try --init-model vae.h5 --fit-prior mixture
try --init-model vae.h5 --fit-prior mixture:0
try --init-model vae.h5 --fit-prior mixture:2401
try --init-model vae.h5 --fit-prior mixture:12 --latent 3
try --init-model vae.h5 --fit-prior mixture:12 --batch 20
try --init-model vae.h5 --fit-prior mixture:12 --lr 0.1
try --init-model vae.h5 --fit-prior mixture:12 --numerics det
try --set prior=mixture:12
sample-model p.h5 --manifold 5 --dims 0,1 -o grid.h5 -q || echo "exit $?"
