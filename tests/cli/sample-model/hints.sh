# What the hint of an error says works.
. "$CLI_TESTS/hints"
given make-data bars -n 60 -o bars.h5
for latents in 1 2 3; do given train-vae bars.h5 -o $latents.h5 --preset tiny --latent $latents; done
follow sample-model 3.h5 -o s.h5 --manifold 4
follow sample-model 1.h5 -o s.h5 --manifold 4
given sample-model 2.h5 -o s.h5 -n 4
follow sample-model 2.h5 -o s.h5 -n 4
follow sample-model 2.h5 -o nowhere/s.h5 -n 4
follow_by 'sample-model 2.h5 -o other.h5 -n 4' sample-model 2.h5 -o 2.h5 -n 4 --force
FILL[FILE]=report.json
follow sample-model 2.h5 -o - -n 4 --json
given make-data digits -n 30 --size 8 -o digits.h5
given train-vdm digits.h5 -o vdm.h5 --preset tiny --steps 2
follow sample-model vdm.h5 -o t.h5 -n 2 --timesteps 3 --trajectory 4
follow_by 'train-vdm digits.h5 -o labelled.h5 --preset tiny --steps 2 --labels && sample-model labelled.h5 -o c.h5 -n 2 --timesteps 2 --class 3' \
  sample-model vdm.h5 -o c.h5 -n 2 --class 3
