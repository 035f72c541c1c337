# A table far from unit scale is read in deviations, and its evidence and samples are of the table as it is.
make-data gauss -n 400 --dim 2 -o made.h5 -q
view-samples made.h5 --limit 400 |
  awk -F, 'NR == 1 { print "year,gram" } NR > 1 { print 2000 + 50 * $1 "," $2 / 1000 }' > t.csv
pack-data csv t.csv --split train:80%,test:rest -o t.h5 -q
fit='fit-prior --preset tiny --steps 100 --lr 0.01 --samples 32'
$fit t.h5 -o k.h5 2>&1 | grep 'holds\|far'
# Two columns, of deviations 50 and 1/1000: log p is that of unit deviations less log(50/1000), about 0.2.
near() { jq .result.log_likelihood.value | awk '{ print ($1 > -2 && $1 < 1.5) }'; }
elbo-eval k.h5 t.h5:test -q | near
sample-model k.h5 -n 500 -o s.h5 -q
view-samples s.h5 --limit 500 | awk -F, 'NR > 1 { y += $1; g += $2; gg += $2 * $2; n++ }
  END { print (y/n > 1970 && y/n < 2030), (sqrt(gg/n - g*g/n/n) < 0.01) }'
# Its encoder reads the same deviations, and so does a new prior for its generator, whatever the rows.
fit-prior t.h5 -o ke.h5 --preset tiny --steps 100 --encoder-for k.h5 -q
elbo-eval ke.h5 t.h5:test --method elbo -q > report.json 2> warned || cat warned
$fit t.h5:test -o kg.h5 --init-generator k.h5 --freeze generator --batch 20 -q
elbo-eval kg.h5 t.h5:train -q | near
# Written down by pack-data they are taken from there; --no-standardise reads the table as it is.
pack-data csv t.csv --standardise --split train:80%,test:rest -o scaled.h5 -q
$fit scaled.h5 -o twin.h5 2>&1 | grep -c 'far from unit scale'
elbo-eval twin.h5 t.h5:test -q | near
$fit t.h5 -o raw.h5 --no-standardise -q
elbo-eval raw.h5 t.h5:test -q | near
