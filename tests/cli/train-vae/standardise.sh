# A model of a standardised table speaks of the units of the file: samples, reconstructions, densities.
set -u
make-data gauss -n 400 --dim 2 -o made.h5 -q
view-samples made.h5 --limit 400 | awk -F, 'NR == 1 { print "year,gram" } NR > 1 { print 2000 + 50 * $1 "," $2 / 1000 }' > t.csv
pack-data csv t.csv --standardise --split train:80%,test:rest -o t.h5 -q
inspect t.h5 -q | grep -A4 '"/columns/\(mean\|deviation\)"' | grep -c '"shape"'
train-vae t.h5 -o vae.h5 --preset tiny --likelihood gaussian --epochs 3 -q
sample-model vae.h5 -n 500 -o s.h5 -q
view-samples s.h5 --limit 500 | awk -F, 'NR == 1 { print }
  NR > 1 { y += $1; yy += $1 * $1; g += $2; gg += $2 * $2; n++ }
  END { print (y/n > 1980 && y/n < 2020), (sqrt(yy/n - y*y/n/n) > 25), (sqrt(gg/n - g*g/n/n) < 0.01) }'
sample-model vae.h5 --reconstruct t.h5:test -o r.h5 -q
view-samples r.h5 --rows 0:2 | awk -F, 'NR > 1 { print ($1 > 1700 && $1 < 2300) }'
# Two columns, of deviations 50 and 1/1000: log p is that of unit deviations less log(50/1000).
elbo-eval vae.h5 t.h5:test -q | sed -n '/"log_likelihood"/,/}/p' | awk '/"value"/ { print ($2 + 0 > -1.5 && $2 + 0 < 0.2) }'
# The same rows in a file that knows no means and deviations are read by those of the model.
pack-data csv t.csv --split train:80%,test:rest -o plain.h5 -q
elbo-eval vae.h5 t.h5:test --per-example a.csv -q > a.json
elbo-eval vae.h5 plain.h5:test --per-example b.csv -q > b.json 2> /dev/null
cmp a.csv b.csv && echo same
pack-data csv t.csv --columns gram,year -o other.h5 -q
elbo-eval vae.h5 other.h5 -q
echo "exit $?"
train-vae t.h5 -o no.h5 --preset tiny --likelihood gaussian --valid other.h5 -q
echo "exit $?"
