# What the hint of an error says works.
. "$CLI_TESTS/hints"
given make-data hub -n 60 -o hub.h5
given make-data gauss -n 60 --dim 2 -o reals.h5
arm() { follow train-arm "$@" -o m.h5 --preset tiny --steps 2; }
arm hub.h5 --net unet
arm hub.h5 --net tabular
arm hub.h5 --levels 4
FILL[FILE]=groups.txt
echo '1 1 0 0 0 0 0 0' > groups.txt
rm -f m.*
arm hub.h5 --model biased
given make-data molecules --max-atoms 3 -n 60 -o mol.h5
rm -f m.*
arm mol.h5 --net mlp
rm -f m.*
arm mol.h5 --widths 8,8
rm -f m.*
arm hub.h5 --net graph
for trainer in train-pc train-vae train-vdm fit-prior; do
  follow_by "$trainer reals.h5 -o real-$trainer.h5 --preset tiny --steps 2" train-arm reals.h5 -o m.h5 --preset tiny
done
# values that are missing
{ echo a,b; for i in $(seq 30); do echo "$((i % 3)),$((i % 2))"; done; echo ,1; } > holes.csv
given pack-data csv holes.csv --missing keep --content symbols --levels 3 -o holes.h5
follow_by 'train-pc holes.h5 -o holes.pc.h5 --preset tiny --steps 2 && pack-data csv holes.csv --missing drop-row --content symbols --levels 3 -o whole.h5 &&
  train-arm whole.h5 -o holes.m.h5 --preset tiny --steps 2' train-arm holes.h5 -o holes.m.h5 --preset tiny --steps 2
