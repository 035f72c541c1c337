# What the hint of an error says works.
. "$CLI_TESTS/hints"
given make-data digits -n 60 --size 8 -o digits.h5
given make-data bars -n 60 -o bars.h5
for latents in 2 4 6; do given train-vae digits.h5 -o $latents.h5 --preset tiny --steps 2 --binarise static --latent $latents; done
given train-vae bars.h5 -o em.h5 --preset tiny --steps 2 --algorithm mcem
short() { follow elbo-eval "$@" --limit 2; }
FILL[MODEL]=2.h5 FILL[DATASET]=digits.h5 FILL[FILE]=report.json
follow elbo-eval --limit 2
short 2.h5
short 4.h5 digits.h5 --method quadrature
short 6.h5 digits.h5 --method reciprocal
short 2.h5 digits.h5 --weights ema
short 2.h5 digits.h5 --gap --method elbo --refine 2
short 2.h5 digits.h5 --report -
given make-data gauss -n 60 -o gauss.h5
given train-vae gauss.h5 -o gauss-vae.h5 --preset tiny --steps 2 --likelihood gaussian
given train-vae digits.h5 -o levels.h5 --preset tiny --steps 2 --likelihood beta-binomial
follow_by 'elbo-eval levels.h5 digits.h5 --det --limit 2' elbo-eval gauss-vae.h5 gauss.h5 --det --limit 2
given elbo-eval 2.h5 digits.h5 --per-example a.h5
follow elbo-eval 2.h5 digits.h5 --per-example a.h5
follow_by 'elbo-eval 2.h5 digits.h5 --per-example scores.csv' elbo-eval 2.h5 digits.h5 --per-example scores.pdf
follow_by 'elbo-eval 2.h5 digits.h5 --per-example b.csv' elbo-eval 2.h5 digits.h5 --per-example b
given elbo-eval 2.h5 digits.h5 --per-example threshold.h5 --binarise threshold
follow_by 'elbo-eval --compare a.h5,a.h5' elbo-eval --compare a.h5,threshold.h5
follow_by 'train-vae digits.h5 -o model.h5 --preset tiny --steps 2 --binarise static && elbo-eval model.h5 digits.h5' elbo-eval digits.h5 digits.h5
{ echo a,b; for i in $(seq 60); do echo "$((i % 7)).5,$((i % 11)).25"; done; } > table.csv
sed '5s/.*/,2.5/' table.csv > holes.csv
given pack-data csv table.csv -o table.h5
given pack-data csv holes.csv --missing keep -o holes.h5
given train-vae table.h5 -o table-vae.h5 --preset tiny --steps 2 --likelihood gaussian
follow_by 'pack-data csv holes.csv --missing drop-row -o fewer.h5 && elbo-eval table-vae.h5 fewer.h5' \
  elbo-eval table-vae.h5 holes.h5
{ echo n,word; for i in $(seq 30); do echo "$((i % 3)),w$((i % 4))"; done; } > words.csv
sed 's/w0/v0/' words.csv > other-words.csv
given pack-data csv words.csv --categorical word -o words.h5
given pack-data csv other-words.csv --categorical word -o other-words.h5
given train-vae words.h5 -o words-vae.h5 --preset tiny --steps 2 --likelihood categorical
follow_by 'pack-data csv words.csv other-words.csv --categorical word --split train:30,test:30 -o both.h5 && train-vae both.h5 -o both-vae.h5 --preset tiny --steps 2 --likelihood categorical && elbo-eval both-vae.h5 both.h5' \
  elbo-eval words-vae.h5 other-words.h5
{ echo id,x; for i in $(seq 60); do echo "$((100000000000000 + i * i % 97)),$((i % 7)).5"; done; } > ids.csv
sed 2,9d ids.csv > other-ids.csv
given pack-data csv ids.csv -o ids.h5
given pack-data csv other-ids.csv -o other-ids.h5
given train-pc ids.h5 -o ids.pc.h5 --preset tiny --steps 2
inspect ids.h5 -q > ids.json
follow_by 'pack-data csv other-ids.csv --type ids.json -o as-ids.h5 && elbo-eval ids.pc.h5 as-ids.h5' \
  elbo-eval ids.pc.h5 other-ids.h5
given view-samples digits.h5 --rows 0:2 --grid 1x1 --limit 1 -o one.png
given pack-data images one.png --binarise threshold -o bits.h5
given pack-data images one.png -o gray.h5
given train-vae gray.h5 -o one.h5 --preset tiny --steps 2 --binarise static --batch 1
follow_by 'elbo-eval one.h5 bits.h5 --binarise none' elbo-eval one.h5 bits.h5
given make-data hmm-text -n 60 --length 12 -o text.h5
given train-pc text.h5 -o hmm.h5 --preset tiny --steps 2
given train-pc text.h5 -o tree.h5 --preset tiny --steps 2 --structure hclt
follow elbo-eval hmm.h5 text.h5 --eval whole
follow elbo-eval tree.h5 text.h5 --eval stream:2
follow elbo-eval hmm.h5 text.h5 --prune-states 1
follow elbo-eval hmm.h5 text.h5 --prune-states 0.5 --eval stream:2
given make-data gray8 -n 30 -o g.h5
given train-vdm g.h5 -o plain.h5 --preset tiny --steps 2 --mse-rows 0
given train-vdm g.h5 -o vdm.h5 --preset tiny --steps 2 --mse-rows 4
short plain.h5 g.h5 --timesteps 2 --grid fitted
short vdm.h5 g.h5 --timesteps 129 --grid fitted
short vdm.h5 g.h5 --variance 1
given train-vdm digits.h5 -o labelled.h5 --preset tiny --steps 2 --mse-rows 0 --labels
follow elbo-eval labelled.h5 g.h5
given make-data digits -n 24 --size 14 -o larger.h5
given train-vdm larger.h5 -o larger-vdm.h5 --preset tiny --steps 1 --batch 2 --mse-rows 0
follow elbo-eval larger-vdm.h5 larger.h5 --limit 1 --method ode --ode-steps 2 --ode-trace exact
given make-data hub -n 60 -o hub.h5
given make-data digits -n 24 --size 8 -o small.h5
given train-arm hub.h5 -o arm.h5 --preset tiny --hidden 4 --steps 2
given train-arm small.h5 -o picture-arm.h5 --preset tiny --steps 1 --batch 4 --levels 2 --net mlp
follow elbo-eval arm.h5 hub.h5 --limit 1 --method exact --exact-max-dims 7
given train-arm hub.h5 -o any.h5 --model ao --preset tiny --hidden 4 --steps 2
follow_by 'elbo-eval any.h5 hub.h5 --limit 1 --det' \
  elbo-eval any.h5 hub.h5 --limit 1 --det --parallel-steps 4
follow elbo-eval picture-arm.h5 small.h5 --limit 1 --method exact
seq 3000 > numbers.txt
if given_if_built pack-data text numbers.txt --tokens sentencepiece:300 -o tokens.h5; then
  given train-pc tokens.h5 -o tokens.pc.h5 --hidden 2 --epochs 1
  seq 2000 4000 > others.txt
  given pack-data text others.txt --tokens sentencepiece:300 -o others.h5
  follow_by 'pack-data text others.txt --tokens tokens.h5 -o same.h5 && elbo-eval tokens.pc.h5 same.h5' elbo-eval tokens.pc.h5 others.h5
fi
