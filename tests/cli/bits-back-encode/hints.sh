# What the hint of an error says works.
. "$CLI_TESTS/hints"
given make-data digits -n 60 --size 8 -o digits.h5
given make-data gauss -n 60 -o gauss.h5
given train-vae digits.h5 -o vae.h5 --preset tiny --steps 2 --likelihood beta-binomial
given train-vae gauss.h5 -o real.h5 --preset tiny --steps 2 --likelihood gaussian
given train-vae digits.h5 -o bits.h5 --preset tiny --steps 2 --binarise static
given train-vae digits.h5 -o gray.h5 --preset tiny --steps 2 --allow-gray
seq 500 > words.txt
cp words.txt model.h5
follow bits-back-encode model.h5 words.txt
follow_by 'bits-back-encode vae.h5 words.txt -o a.lpx' bits-back-encode real.h5 words.txt -o a.lpx
follow_by 'train-vae digits.h5 --binarise static -o b.h5 --preset tiny --steps 2 && bits-back-encode b.h5 words.txt -o b.lpx' \
  bits-back-encode gray.h5 words.txt -o b.lpx
follow bits-back-encode --fallback-only words.txt
follow bits-back-encode --fallback-only words.txt -o nowhere/a.lpx
follow_by 'bits-back-encode --fallback-only words.txt -o memory.lpx --memory 100M' \
  bits-back-encode --fallback-only words.txt -o memory.lpx --memory 1M
head -c 17M /dev/zero > large
follow_by 'head -c 16M large > part && bits-back-encode --fallback-only --prime part words.txt -o prime.lpx --dry-run' \
  bits-back-encode --fallback-only --prime large words.txt -o prime.lpx
follow_by 'bits-back-encode --fallback-only words.txt -o c.lpx' bits-back-encode --fallback-only words.txt -o words.txt --force
ln -s words.txt link.txt
follow bits-back-encode --fallback-only link.txt -o d.lpx
touch real.lpx && ln -s real.lpx e.lpx
follow bits-back-encode --fallback-only words.txt -o e.lpx
follow_by 'bits-back-encode --fallback-only words.txt -f --report r.json' \
  bits-back-encode --fallback-only words.txt -f --report words.txt.lpx
mkdir one two && cp words.txt one && seq 9 > two/words.txt
follow_by 'bits-back-encode one -o folder.lpx' bits-back-encode -r one -o folder.lpx
follow_by 'bits-back-encode --effort best words.txt -o effort.lpx' bits-back-encode -9 words.txt -o effort.lpx
follow_by 'bits-back-encode --prime two/words.txt words.txt -o primed.lpx' \
  bits-back-encode -D two/words.txt words.txt -o primed.lpx
follow_by 'bits-back-encode --fallback-only gauss.h5 -o g.lpx' bits-back-encode --fallback-only --dataset gauss.h5 -o g.lpx
follow_by 'bits-back-encode --fallback-only one/words.txt -o h.lpx' \
  bits-back-encode --fallback-only one/words.txt one/words.txt -o h.lpx
given train-vae digits.h5 -o em.h5 --preset tiny --steps 2 --algorithm mcem --binarise static
follow_by 'bits-back-encode vae.h5 words.txt -o i.lpx' bits-back-encode em.h5 words.txt -o i.lpx
printf 'colour,size\nred,small\nblue,large\nred,small\n' > colours.csv
given pack-data csv colours.csv -o colours.h5
given train-pc colours.h5 -o joined.pc.h5 --preset tiny --steps 2
follow_by 'train-pc --structure hclt colours.h5 -o tree.h5 --preset tiny --steps 2 && bits-back-encode tree.h5 --dataset colours.h5 -o j.lpx' \
  bits-back-encode joined.pc.h5 --dataset colours.h5 -o j.lpx
mkdir all
follow_by 'bits-back-encode --fallback-only words.txt --output-dir two && bits-back-encode --fallback-only one/words.txt --output-dir one' \
  bits-back-encode --fallback-only words.txt ./words.txt --output-dir all
cp one/words.txt more.txt
ln -s nothing more.txt.lpx
follow bits-back-encode --fallback-only more.txt
rm -f more.txt.lpx && : > more.txt.lpx
follow_by 'bits-back-encode --fallback-only more.txt more.txt.lpx -o k.lpx' bits-back-encode --fallback-only more.txt more.txt.lpx
given fit-prior digits.h5 -o k.h5 --preset tiny --steps 20
FILL[DATA]=digits.h5 FILL[MODEL.h5]=k.h5
follow bits-back-encode k.h5 --dataset digits.h5 --codebook off -o l.lpx
LC_ALL=C awk 'BEGIN { for (i = 0; i < 300; i++) printf "%c%c%c", 228, 184 + int(i / 64), 128 + i % 64 }' > signs
given pack-data text signs --alphabet auto -o signs.h5
given train-pc signs.h5 -o signs.pc.h5 --preset tiny --steps 2 --hidden 2
follow_by 'pack-data text words.txt --alphabet bytes -o w.h5 && train-pc w.h5 -o w.pc.h5 --preset tiny --steps 2 && bits-back-encode w.pc.h5 words.txt -o m.lpx' \
  bits-back-encode signs.pc.h5 words.txt -o m.lpx
. "$CLI_TESTS/bits-back-encode/mixed-pairs"
given pack-data csv x.csv --categorical auto -o x.h5
given train-pc x.h5 -o x.pc.h5 --structure file:pairs.json --preset tiny --steps 2
follow_by 'train-pc x.h5 -o y.pc.h5 --structure hclt --preset tiny --steps 2 && bits-back-encode y.pc.h5 --dataset x.h5 -o n.lpx' \
  bits-back-encode x.pc.h5 --dataset x.h5 -o n.lpx
given make-data digits -n 30 --size 8 -o classes.h5
given train-vdm classes.h5 -o bound.h5 --preset tiny --steps 2 --mse-rows 0 --labels --label-drop 0
follow_by 'train-vdm classes.h5 -o free.h5 --preset tiny --steps 2 --mse-rows 0 --labels --label-drop 0.1 && bits-back-encode free.h5 --dataset classes.h5 -o classes.lpx --timesteps 2' \
  bits-back-encode bound.h5 --dataset classes.h5 -o classes.lpx
given make-data hub -n 60 -o hub.h5
echo '1 1 0 0 0 0 0 0' > groups.txt
given train-arm hub.h5 -o any.h5 --preset tiny --hidden 4 --steps 2 --model ao
given train-arm hub.h5 -o groups.h5 --preset tiny --hidden 4 --steps 2 --model biased --groups groups.txt
follow bits-back-encode any.h5 --dataset hub.h5 --arm-order greedy -o any.lpx
follow bits-back-encode groups.h5 --dataset hub.h5 --arm-order fixed -o groups.lpx
follow bits-back-encode any.h5 --dataset hub.h5 --arm-order fixed --parallel-steps 4 -o steps.lpx
follow_by 'bits-back-encode groups.h5 --dataset hub.h5 -o grouped.lpx' \
  bits-back-encode groups.h5 --dataset hub.h5 --parallel-steps 4 -o grouped.lpx
given make-data molecules --max-atoms 3 -o mol.h5
given train-arm mol.h5 -o numbered.h5 --preset tiny --steps 2 --model fixed
follow_by 'bits-back-encode --fallback-only --dataset mol.h5 --as-set -o set.lpx' \
  bits-back-encode numbered.h5 --dataset mol.h5 --as-set -o set.lpx
follow_by 'bits-back-encode --fallback-only --dataset mol.h5 hub.h5 --as-set' \
  bits-back-encode --fallback-only --dataset mol.h5 hub.h5 --as-set -o sets.lpx
follow_by 'bits-back-encode --fallback-only --dataset mol.h5 --as-set --memory 1G -o sorted.lpx' \
  bits-back-encode --fallback-only --dataset mol.h5 --as-set --memory 1K -o sorted.lpx
given train-pc digits.h5 -o quads.pc.h5 --preset tiny --steps 2 --structure quad-graph --binarise static
follow_by 'train-pc digits.h5 -o tree.pc.h5 --preset tiny --steps 2 --structure hclt --binarise static && bits-back-encode tree.pc.h5 --dataset digits.h5 -o tree.lpx' \
  bits-back-encode quads.pc.h5 --dataset digits.h5 -o quads.lpx
given make-data scenes -n 40 --size 8 -o rgb.h5
loss=(train-pc rgb.h5 --preset tiny --steps 2 --structure quad-tree)
given "${loss[@]}" --transform ycocg-lossy -o loss.pc.h5
follow_by "${loss[*]} --transform ycocg-r -o colours.pc.h5 && bits-back-encode colours.pc.h5 --dataset rgb.h5 -o rgb.lpx" \
  bits-back-encode loss.pc.h5 --dataset rgb.h5 -o loss.lpx
seq 3000 > numbers.txt
if given_if_built pack-data text numbers.txt --tokens sentencepiece:300 -o tokens.h5; then
  given train-pc tokens.h5 -o tokens.pc.h5 --hidden 2 --epochs 1
  follow_by 'pack-data text numbers.txt --alphabet bytes -o bytes.h5 && train-pc bytes.h5 -o bytes.pc.h5 --hidden 2 --epochs 1 && bits-back-encode bytes.pc.h5 numbers.txt' \
    bits-back-encode tokens.pc.h5 numbers.txt
fi
