# What the hint of an error says works.
. "$CLI_TESTS/hints"
given make-data gauss -n 60 --dim 2 -o reals.h5
{ echo a,b; for i in $(seq 30); do echo "1.5,$((i % 4)).5"; done; } > flat.csv
given pack-data csv flat.csv -o flat.h5
{ echo n,word; for i in $(seq 30); do echo "$((i % 3)),w$((i % 4))"; done; } > words.csv
given pack-data csv words.csv --categorical word -o words.h5
vdm() { follow train-vdm "$@" -o m.h5 --preset tiny --steps 2; }
vdm reals.h5 --net unet
vdm reals.h5 --learn-endpoints
vdm flat.h5
rm -f m.*
follow_by 'train-pc words.h5 -o m.h5 --preset tiny --steps 2' train-vdm words.h5 -o m.h5 --preset tiny --steps 2
rm -f m.*
# values that are missing
{ echo a,b; for i in $(seq 30); do echo "$((i % 3)),$((i % 2))"; done; echo ,1; } > holes.csv
given pack-data csv holes.csv --missing keep -o holes.h5
follow_by 'train-pc holes.h5 -o holes.pc.h5 --preset tiny --steps 2 && pack-data csv holes.csv --missing drop-row -o whole.h5 &&
  train-vdm whole.h5 -o holes.m.h5 --preset tiny --steps 2' train-vdm holes.h5 -o holes.m.h5 --preset tiny --steps 2
