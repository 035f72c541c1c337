# A model that knows rows by heart gives them more than the source did: a sampled bound is printed with a
# warning, an exact value too where the rows are known to be those of training; else it is an error.
set -u
make-data gauss -n 40 --split train:20,test:20 -o g.h5 -q
view-samples g.h5:train --limit 20 | cut -d, -f1-8 > t.csv # from a table no row can be traced back
pack-data csv t.csv --split train:100% -o t.h5 -q
train-vae t.h5 -o vae.h5 --preset tiny --likelihood gaussian --latent 4 --epochs 400 --batch 20 --lr 0.01 -q
train-pc t.h5 -o untraced.h5 --structure mixture -q
train-pc g.h5 -o traced.h5 --structure mixture -q
for model in vae untraced traced; do
  elbo-eval $model.h5 g.h5:train -q > $model.json
  echo "exit $?"
  jq -r '.result | [.log_likelihood.kind, (.gap_to_truth | .value < -3 * .std_error)] | tostring' $model.json
done
