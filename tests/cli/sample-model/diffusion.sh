# Draws from a diffusion model: every sampler, the same for any threads; classes, frames, means.
set -u
make-data digits -n 90 --size 8 -o digits.h5 -q
train-vdm digits.h5 --preset tiny --steps 20 --mse-rows 8 --labels -o vdm.h5 -q
train-vdm digits.h5 --preset tiny --steps 1 --mse-rows 0 --labels --label-drop 0 -o bound.h5 -q
make-data gauss -n 90 -o gauss.h5 -q
train-vdm gauss.h5 --preset tiny --steps 20 -o reals.h5 -q
show() { # NAME OPTIONS...
  local name=$1
  shift
  for threads in 1 4; do sample-model vdm.h5 -n 20 -o "$name.$threads" -q -j $threads "$@"; done
  cmp "$name.1" "$name.4" && mv "$name.1" "$name.h5"
  echo "$name:"
  inspect "$name.h5" --check -q > "$name.json"
  grep -E '"(path|is_mean|grid_columns)": |"shape"' "$name.json" | tr -d ' \n'
  echo
}
for sampler in ancestral ddim dpm2m ode; do show "$sampler" --sampler "$sampler" --timesteps 4; done
show means --sampler dpm2m --timesteps 4 --mean
show frames --sampler ddim --timesteps 8 --trajectory 4
show sevens --sampler dpm2m --timesteps 4 --class 7
show named --sampler dpm2m --timesteps 4 --class 7 --guidance 0
show strong --sampler dpm2m --timesteps 4 --class 7 --guidance 1000
view-samples sevens.h5 -o sevens.png -q && view-samples named.h5 -o named.png -q
cmp sevens.png named.png && echo "no guidance is guidance by 0"
view-samples strong.h5 -o strong.png -q
cmp -s sevens.png strong.png || echo "guidance changes samples"
view-samples frames.h5 -o frames.png -q
# The first of many are those of few.
sample-model vdm.h5 -n 3 --timesteps 4 -o few.h5 -q && view-samples few.h5 -o few.png -q
view-samples ancestral.h5 --limit 3 -o first.png -q && cmp few.png first.png
sample-model vdm.h5 -n 1 --sampler ddim -o s.h5 -q --json | grep -E '"(timesteps|grid|clip_x)"'
sample-model reals.h5 -n 3 --sampler ode --timesteps 4 -o r.h5 -q --json | grep -E '"(grid|clip_x)"'
try() {
  sample-model "$@" -n 2 -o s2.h5 -q
  echo "$? $*"
}
try vdm.h5 --class 10
try vdm.h5 --class seven
try vdm.h5 --guidance 1
try vdm.h5 --trajectory 9 --timesteps 8
try vdm.h5 --trajectory 2 --mean
try vdm.h5 --timesteps 0
try vdm.h5 --temperature 2
try bound.h5
try bound.h5 --class 1 --guidance 1
try reals.h5 --class 1
try reals.h5 --clip-x range
