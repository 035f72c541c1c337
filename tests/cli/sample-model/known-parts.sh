# Rows completed by a diffusion model: what is known stays, the same for any threads, and more particles are worth more.
set -u
make-data digits -n 60 --size 8 -o digits.h5 -q
make-data gauss -n 60 --dim 3 -o gauss.h5 -q
train-vdm digits.h5 --preset tiny --steps 20 --mse-rows 8 --labels -o vdm.h5 -q
train-vdm gauss.h5 --net linear-gauss --steps 1 -o reals.h5 -q
halves=(vdm.h5 --given digits.h5:test --known rows:0-3 --index 0:3 --timesteps 8)
for threads in 1 4; do sample-model "${halves[@]}" -n 2 --particles 8 -o "c.$threads" -q -j "$threads"; done
cmp c.1 c.4 && mv c.1 c.h5
inspect c.h5 --check -q | grep -E '"path": |"shape"' | tr -d ' \n'
echo
sample-model "${halves[@]}" -n 1 --class 3 -o three.h5 -q
view-samples three.h5 --labels -o three.png -q && echo "of a class"
# Real numbers stay to the last bit.
sample-model reals.h5 --given gauss.h5:test --known every:2 --index 0:4 --timesteps 10 --particles 16 -o r.csv -q
rows=$(inspect gauss.h5 -q | jq '[.result.splits[] | select(.name == "test").begin][0]')
kept() { tail -n +2 | cut -d, -f1,3; }
view-samples gauss.h5 --rows "$rows:$((rows + 4))" | kept > known
kept < r.csv | cmp - known && echo "what is known stays"
worth() { sample-model reals.h5 --given gauss.h5:test --known every:2 --index 0:5 --timesteps 10 "$@" -o w.h5 --force -q --json | jq '.result.ess_mean'; }
awk "BEGIN { exit !($(worth --particles 4) < $(worth --particles 64)) }" && echo "more particles, more that count"
worth --particles 1
sample-model reals.h5 --given gauss.h5:test --known every:2 --index 0:2 --timesteps 10 --particles 2 -o few.h5
try() {
  sample-model "$@" -o s.h5 -q
  echo "$? $*"
}
try "${halves[@]}" --sampler ddim
try "${halves[@]}" --trajectory 2
try vdm.h5 --particles 4
try vdm.h5 --given gauss.h5 --known every:2
try "${halves[@]}" --infill sir
try "${halves[@]}" --particles 0
