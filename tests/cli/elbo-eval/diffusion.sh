# Scores of a diffusion model: every method, the same for any threads, and what nothing reads.
set -u
make-data gray8 -n 90 -o g.h5 -q
train-vdm g.h5 --preset tiny --steps 20 --mse-rows 16 -o vdm.h5 -q
train-vdm g.h5 --preset tiny --steps 1 --timesteps 5 --mse-rows 0 -o plain.h5 -q
make-data gauss -n 90 -o gauss.h5 -q
train-vdm gauss.h5 --preset tiny --steps 20 -o reals.h5 -q
score() { # NAME OPTIONS...
  local name=$1
  shift
  for threads in 1 4; do elbo-eval vdm.h5 g.h5 --limit 20 -q -j $threads "$@" > "$name.$threads"; done
  cmp "$name.1" "$name.4" && mv "$name.1" "$name.json"
  echo "$name: $(sed -n '/"log_likelihood"/,/}/s/.*"kind": "\(.*\)",*/\1/p' "$name.json")"
  grep -o '"mc_std_error"' "$name.json"
}
value() { sed -n '/"log_likelihood"/,/}/s/.*"value": \(-[0-9.]*\).*/\1/p' "$1"; }
below() { awk "BEGIN { exit !($(value "$1") < $(value "$2")) }" && echo "$1 < $2"; }
score continuous
score steps --timesteps 10
score sampled --timesteps 10 --samples 4
score even --timesteps 10 --grid uniform
score clipped --timesteps 10 --clip-x range
score cosine --schedule alpha-cosine
score weighed --method iwae --timesteps 10 --samples 4
score flow --method ode --ode-steps 6
score code --det --timesteps 10
below even.json steps.json
below steps.json clipped.json
below steps.json weighed.json
grep -E '"(recon|diffusion|prior)": ' continuous.json | tr -d ' {'
grep -E '"(grid|clip_x|timesteps)": ' steps.json code.json
grep -oE '"(k|by_k|ess_mean)": .' weighed.json
grep -E '"name": ' continuous.json
elbo-eval vdm.h5 g.h5 --limit 20 --variance 4 -q | grep -oE '"variance[a-z_]*"'
# By the training's own steps, where they are asked for.
elbo-eval plain.h5 g.h5 --limit 2 --method iwae --samples 2 -q | grep -E '"(timesteps|grid)"'
try() {
  elbo-eval "$@" --limit 2 -q > out
  echo "$? $*"
}
try vdm.h5 g.h5 --grid fitted
try plain.h5 g.h5 --timesteps 5 --grid fitted
try vdm.h5 g.h5 --timesteps 129 --grid fitted
try vdm.h5 g.h5 --timesteps 10001
try vdm.h5 g.h5 --timesteps 9 --grid fitted --schedule linear
try vdm.h5 g.h5 --schedule other
try vdm.h5 g.h5 --variance 1
try vdm.h5 g.h5 --no-labels
try vdm.h5 g.h5 --method iwae --timesteps 0
try vdm.h5 g.h5 --method iwae --ode-steps 3
try vdm.h5 g.h5 --method ode --ode-steps 3 --ode-tol 0.1
try vdm.h5 g.h5 --det --latent-bits 8
try reals.h5 gauss.h5 --n-rec 3
try reals.h5 gauss.h5 --timesteps 3 --clip-x range
try reals.h5 gauss.h5 --det
elbo-eval reals.h5 gauss.h5 --limit 4 --method ode --ode-trace exact --ode-tol 0.01 -q |
  sed -n '/"log_likelihood"/,/}/p' | grep -E '"(unit|kind)"'
