# What the hint of an error says works.
. "$CLI_TESTS/hints"
given make-data gauss -n 60 -o reals.h5
given make-data digits -n 60 --size 8 -o digits.h5
given make-data digits -n 60 --size 14 -o odd.h5
given make-data bars -n 60 -o bars.h5
given make-data markov-text -n 60 --length 16 -o text.h5
given train-vae bars.h5 -o vae.h5 --preset tiny
vae() { follow train-vae "$@" -o m.h5 --preset tiny --steps 2; }
# data that the likelihood does not take
vae reals.h5 --likelihood bernoulli
vae reals.h5 --binarise static
vae reals.h5 --likelihood beta-binomial
vae digits.h5 --likelihood bernoulli
vae bars.h5 --binarise static
vae text.h5 --likelihood bernoulli
vae text.h5 --binarise static
vae text.h5 --likelihood gaussian
vae digits.h5 --likelihood categorical --binarise static
{ echo n,word; for i in $(seq 30); do echo "$((i % 3)),w$((i % 4))"; done; } > words.csv
given pack-data csv words.csv --categorical word -o words.h5
vae words.h5 --likelihood gaussian
{ echo x,word; for i in $(seq 30); do echo "$i.5,w$((i % 4))"; done; } > mixed.csv
given pack-data csv mixed.csv --categorical word -o mixed.h5
follow_by 'train-pc mixed.h5 -o pc.h5 --preset tiny --steps 2' train-vae mixed.h5 -o m.h5 --preset tiny --steps 2 --likelihood gaussian
follow_by 'train-pc mixed.h5 -o auto-pc.h5 --preset tiny --steps 2' train-vae mixed.h5 -o m.h5 --preset tiny --steps 2
given make-data molecules --max-atoms 3 -n 60 -o mol.h5
follow_by 'train-arm mol.h5 -o arm.h5 --preset tiny --steps 2' train-vae mol.h5 -o m.h5 --preset tiny --steps 2
vae digits.h5 --likelihood gaussian --context 12
vae bars.h5 --standardise
rm -f m.*
given view-samples odd.h5 --limit 1 -o odd.png
follow_by 'pack-data images odd.png --size 16x16 --fit pad -o padded.h5 &&
  train-vae padded.h5 --encoder conv --binarise static -o m.h5 --preset tiny --batch 1 --steps 2 --valid 0' \
  train-vae odd.h5 --encoder conv --binarise static -o m.h5 --preset tiny --steps 2
rm -f m.*
# options that do not go together
vae bars.h5 --numerics det --conv im2col
vae bars.h5 --numerics det --precision bf16
vae bars.h5 --patience 2 --eval-every 10s
vae bars.h5 --momentum 0.5
vae bars.h5 --prior vamp:3 --estimator b
vae bars.h5 --keep-best --keep-last
given make-data bars -n 600 --size 20 -o many.h5
vae many.h5 --memory 3Mi --batch 500 --hidden 80
vae many.h5 --hidden 400 --memory 2Mi --batch 10
vae many.h5 --hidden 4 --memory 100Ki --batch 10
given make-data bars -n 6000 --size 20 -o lots.h5
vae lots.h5 --memory 1Mi --algorithm mcem
given train-vae lots.h5 -o c.h5 --preset tiny --hidden 4 --batch 10 --memory 3Mi --steps 2
follow train-vae lots.h5 -o c.h5 --preset tiny --hidden 4 --batch 10 --memory 20Mi --steps 4 --resume --force
follow_by 'train-vae bars.h5 -o m.h5 --preset tiny --steps 2' \
  train-vae bars.h5 -o m.h5 --preset tiny --steps 2 --epochs 1
rm -f m.*
echo '{"steps": 2, "samples_seen": 50}' > both.json
follow_by 'train-vae bars.h5 -o m.h5 --preset tiny --samples-seen 50' \
  train-vae bars.h5 -o m.h5 --preset tiny --config both.json
rm -f m.*
rm -f m.*
echo '{"steps": 2}' > steps.json
FILL[N]=2
follow train-vae bars.h5 -o m.h5 --preset tiny --config steps.json --epochs 1
rm -f m.*
wild='train-vae reals.h5 --preset tiny --likelihood gaussian-fixed --obs-std 1e-6 --optimizer sgd'
# shellcheck disable=SC2086
follow_by "$wild -o slow.h5 --lr 1e-30" $wild -o m.h5 --lr auto
follow_by 'elbo-eval vae.h5 bars.h5 --method ais --ais-steps 3 --limit 2' \
  train-vae bars.h5 -o m.h5 --preset tiny --algorithm mcem --valid bars.h5
# files that are there, or not
rm -f m.*
given train-vae bars.h5 -o m.h5 --preset tiny --steps 2
follow train-vae bars.h5 -o m.h5 --preset tiny --steps 2
given train-vae bars.h5 -o m.h5 --preset tiny --steps 2
rm m.h5
follow_by 'train-vae bars.h5 -o m.h5 --preset tiny --steps 2 --resume && rm m.h5 &&
  train-vae bars.h5 -o m.h5 --preset tiny --steps 2 --force' train-vae bars.h5 -o m.h5 --preset tiny --steps 2
again='train-vae bars.h5 -o m.h5 --preset tiny --steps 2 --lr 0.1 --force'
follow_by "$again --force-resume && $again" train-vae bars.h5 -o m.h5 --preset tiny --steps 2 --lr 0.2 --resume --force
: > m.history.jsonl
follow_by "$again" train-vae bars.h5 -o m.h5 --preset tiny --steps 2 --lr 0.1 --resume --force
follow train-vae bars.h5 -o nowhere/m.h5 --preset tiny --steps 2
follow_by 'make-data --config bars.h5 -o again.h5' train-vae bars.h5 -o m2.h5 --config bars.h5
printf 'x,y\n1,2\n3,4\n' > xy.csv && printf 'x,z\n1,2\n3,4\n' > xz.csv
given pack-data csv xy.csv -o xy.h5
given pack-data csv xz.csv -o xz.h5
follow_by 'pack-data csv xy.csv --columns x,y -o again.h5 -f && train-vae xy.h5 --valid again.h5 --likelihood gaussian --preset tiny -o m3.h5' \
  train-vae xy.h5 --valid xz.h5 --likelihood gaussian --preset tiny -o m3.h5
# values that are missing
{ echo a,b; for i in $(seq 30); do echo "$((i % 3)),$((i % 2))"; done; echo ,1; } > holes.csv
given pack-data csv holes.csv --missing keep -o holes.h5
follow_by 'train-pc holes.h5 -o holes.pc.h5 --preset tiny --steps 2 && pack-data csv holes.csv --missing drop-row -o whole.h5 &&
  train-vae whole.h5 -o holes.m.h5 --preset tiny --steps 2 --likelihood gaussian' train-vae holes.h5 -o holes.m.h5 --preset tiny --steps 2 --likelihood gaussian
