# A table far from unit scale is read in deviations: densities, samples and codes are of the table as it is, and the
# same as if pack-data had written the deviations down.
make-data gauss -n 400 --dim 2 -o made.h5 -q
view-samples made.h5 --limit 400 |
  awk -F, 'NR == 1 { print "year,gram,always" } NR > 1 { print 2000 + 50 * $1 "," $2 / 1000 ",7.5" }' > t.csv
pack-data csv t.csv --split train:80%,test:rest -o t.h5 -q
train-vae t.h5 -o m.h5 --preset tiny --epochs 3 2>&1 | grep 'holds\|far'
inspect m.h5 -q | jq .result.attributes.config.standardise
sample-model m.h5 -n 500 -o s.h5 -q
view-samples s.h5 --limit 500 | awk -F, 'NR > 1 { y += $1; g += $2; yy += $1 * $1; gg += $2 * $2; n++ }
  END { print (y/n > 1980 && y/n < 2020), (sqrt(yy/n - y*y/n/n) > 25), (sqrt(gg/n - g*g/n/n) < 0.01) }'
sample-model m.h5 --reconstruct t.h5:test -o r.h5 -q
view-samples r.h5 --rows 0:2 | awk -F, 'NR > 1 { print ($1 > 1700 && $1 < 2300) }'
# Means and deviations are those of the training rows alone: other rows change nothing.
awk -F, 'NR > 321 { $1 = 1e6 } { print }' OFS=, t.csv > odd.csv
pack-data csv odd.csv --split train:80%,test:rest -o odd.h5 -q
train-vae odd.h5 -o other.h5 --preset tiny --epochs 3 -q
for model in m other; do inspect $model.h5 --hash -q; done | sort -u | wc -l
# The same model as that of a table whose deviations are written down, but for last bits.
pack-data csv t.csv --standardise --split train:80%,test:rest -o scaled.h5 -q 2> /dev/null
train-vae scaled.h5 -o twin.h5 --preset tiny --epochs 3 2>&1 | grep -c 'far from unit scale'
for model in m twin; do elbo-eval $model.h5 t.h5:test -q | jq .result.log_likelihood.value; done |
  awk 'NR == 1 { a = $1 } NR == 2 { d = a - $1; print (d < 0.001 && d > -0.001), (a < 2 && a > -2) }'
for model in m twin; do elbo-eval $model.h5 t.h5:test --per-example $model.scores.h5 -q > report.json; done
elbo-eval --compare m.scores.h5,twin.scores.h5 -q | jq '.result.difference.value | . < 0.001 and . > -0.001'
# Resuming, and the settings of the model, go on with the same deviations.
train-vae t.h5 -o half.h5 --preset tiny --steps 4 -q && train-vae t.h5 -o half.h5 --preset tiny --steps 8 --resume -f -q
train-vae t.h5 -o whole.h5 --preset tiny --steps 8 -q && train-vae t.h5 -o again.h5 --config whole.h5 -q
for model in half whole again; do inspect $model.h5 --hash -q; done | sort -u | wc -l
# What asks for the table as it is gets it, and a table near unit scale is read as it is.
train-vae t.h5 -o raw.h5 --preset tiny --epochs 1 --no-standardise 2>&1 | grep -c 'far from unit scale'
pack-data csv <(view-samples made.h5 --limit 400) -o near.h5 -q 2> /dev/null
train-vae near.h5 -o near-vae.h5 --preset tiny --epochs 1 2>&1 | grep -c 'far from unit scale'
inspect near-vae.h5 -q | jq '.result.attributes.config | has("standardise")'
make-data bars -n 60 -o bars.h5 -q
train-vae bars.h5 -o no.h5 --preset tiny --standardise -q || echo "exit $?"
