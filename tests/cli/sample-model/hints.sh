# What the hint of an error says works.
. "$CLI_TESTS/hints"
given make-data bars -n 60 -o bars.h5
for latents in 1 2 3; do given train-vae bars.h5 -o $latents.h5 --preset tiny --steps 2 --latent $latents; done
follow sample-model 3.h5 -o s.h5 --manifold 4
follow sample-model 1.h5 -o s.h5 --manifold 4
given sample-model 2.h5 -o s.h5 -n 4
follow sample-model 2.h5 -o s.h5 -n 4
follow sample-model 2.h5 -o nowhere/s.h5 -n 4
follow_by 'sample-model 2.h5 -o other.h5 -n 4' sample-model 2.h5 -o 2.h5 -n 4 --force
FILL[FILE]=report.json
follow sample-model 2.h5 -o - -n 4 --json
given make-data digits -n 30 --size 8 -o digits.h5
given train-vae digits.h5 -o seeing.h5 --preset tiny --steps 2 --likelihood logistic-mix256 --context 12
follow_by 'sample-model seeing.h5 -o r.h5 --reconstruct digits.h5 --index 0:2' sample-model seeing.h5 -o s.h5 -n 4 --mean
given train-vdm digits.h5 -o vdm.h5 --preset tiny --steps 2 --mse-rows 0
follow sample-model vdm.h5 -o t.h5 -n 2 --timesteps 3 --trajectory 4
follow_by 'train-vdm digits.h5 -o labelled.h5 --preset tiny --steps 2 --mse-rows 0 --labels && sample-model labelled.h5 -o c.h5 -n 2 --timesteps 2 --class 3' \
  sample-model vdm.h5 -o c.h5 -n 2 --class 3
follow sample-model vdm.h5 -o k.h5 --given digits.h5 --known rows:0-3 --index 0:1 --timesteps 3 --sampler ddim
given make-data hub -n 60 -o hub.h5
given train-arm hub.h5 -o arm.h5 --preset tiny --hidden 4 --steps 2
follow_by 'sample-model 2.h5 -o codes.h5 --encode bars.h5' sample-model arm.h5 -o codes.h5 --encode hub.h5
follow sample-model arm.h5 -o a.h5 -n 2 --parallel-steps 2
follow sample-model arm.h5 -o biased.h5 -n 2 --policy-override biased
follow sample-model arm.h5 -o b.h5 --given hub.h5
follow sample-model arm.h5 -o b.h5 --given hub.h5 --known every:2 --index 0:1 --infill exact --top-p 0.5
given train-arm digits.h5 -o picture-arm.h5 --preset tiny --steps 1 --batch 4 --levels 2 --net mlp
follow sample-model picture-arm.h5 -o b.h5 --given digits.h5 --known rows:0-6 --index 0:1 --infill exact
follow_by 'train-pc bars.h5 -o circuit.h5 --preset tiny --structure hclt --steps 2 && query-pc circuit.h5 bars.h5 --known every:2 --query complete -o filled.h5' \
  sample-model 2.h5 -o b.h5 --given bars.h5 --known every:2
follow_by 'sample-model 2.h5 -o samples.npy -n 4' sample-model 2.h5 -o samples.csv -n 4
