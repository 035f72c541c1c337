# Codes of rows by the flow of a diffusion model: they lead back to the rows, and what lies between two of them is seen.
set -u
make-data gauss -n 60 --dim 3 -o gauss.h5 -q
make-data digits -n 60 --size 8 -o digits.h5 -q
train-vdm gauss.h5 --net linear-gauss --steps 1 -o reals.h5 -q
train-vdm digits.h5 --preset tiny --steps 5 --mse-rows 0 --labels -o vdm.h5 -q
train-vdm digits.h5 --preset tiny --steps 1 --mse-rows 0 --labels --label-drop 0 -o bound.h5 -q
for threads in 1 4; do sample-model reals.h5 --encode gauss.h5:test -o "codes.$threads" -q -j "$threads"; done
cmp codes.1 codes.4 && mv codes.1 codes.h5
inspect codes.h5 --check -q | grep -E '"path": "/(codes|data)|"shape"' | tr -d ' \n'
echo
between=(reals.h5 --interpolate 3,1 --data gauss.h5:test --points 5)
sample-model "${between[@]}" -o line.csv -q && sample-model "${between[@]}" --slerp -o arc.csv -q
cmp -s line.csv arc.csv || echo "an arc is not a line"
begin=$(inspect gauss.h5 -q | jq '[.result.splits[] | select(.name == "test").begin][0]')
for row in 3 1; do view-samples gauss.h5 --rows "$((begin + row)):$((begin + row + 1))" | tail -n 1; done > rows
for way in line arc; do
  sed -n '2p;$p' $way.csv | paste -d , - rows |
    awk -F , '{ for (d = 1; d <= 3; ++d) if (($d - $(d + 3)) ^ 2 > 1e-8) far = 1 } END { exit far }' && echo "both ends of the $way are the rows again"
done
sample-model vdm.h5 --interpolate 0,1 --data digits.h5:test --points 3 --slerp -o way.h5 -q && view-samples way.h5 -o way.png -q &&
  inspect way.h5 -q | grep -oE '"is_mean": [a-z0-9]*'
try() {
  sample-model "$@" -o s.h5 -q
  echo "$? $*"
}
try bound.h5 --encode digits.h5
try vdm.h5 --reconstruct digits.h5
try vdm.h5 --manifold 4
try vdm.h5 --encode digits.h5 --timesteps 4
try vdm.h5 --encode gauss.h5
