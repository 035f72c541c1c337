# From data to a model, its samples, and scores of them that do not depend on how many there are, drawn.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
make-data digits -n 600 --size 8 -o d.h5 -q
train-vae d.h5 -o v.h5 --likelihood beta-binomial --preset tiny --steps 60 -q
sample-model v.h5 -n 300 -o s.h5 -q
fid-extrapolate d.h5:train s.h5 --extractor classifier:16 --fit-on d.h5:train --report f.json -q > out
cmp f.json out
plot-report f.json -o f.gp -q
grep -q '1/N' f.gp
for threads in 1 2 4; do
  fid-extrapolate d.h5:train s.h5 --extractor random-conv:1:16 --metrics fid,kid,prdc --bootstrap 10 \
    -j $threads -q > $threads.json
done
jq -e '.result.metrics | .fid.infinity.value > 0 and .prdc.precision.value >= 0' 1.json > out
for threads in 2 4; do cmp <(jq .result 1.json) <(jq .result $threads.json); done
