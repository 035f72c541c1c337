# Every family draws the words that a column has and no others, gives them all of the probability, and
# codes them as such, whatever numbers another column of the table goes up to.
set -eu -o pipefail
awk 'BEGIN { srand(1); split("red blue green", colours, " "); print "colour,size,n,kind"
  for (i = 0; i < 2000; ++i) { c = int(3 * rand()) + 1
    printf "%s,%s,%d,plain\n", colours[c], c == 1 || rand() < 0.5 ? "small" : "large", int(7 * rand()) } }' > t.csv
pack-data csv t.csv --categorical auto --split train:500,test:rest -o t.h5 -q
train-vae t.h5 -o vae.h5 --preset tiny --likelihood categorical --steps 20 -q
fit-prior t.h5 -o kaem.h5 --preset tiny --likelihood categorical --steps 10 -q
train-arm t.h5 -o arm.h5 --preset tiny --steps 20 -q
for family in vae kaem arm; do
  sample-model $family.h5 -n 300 -o s.h5 -q --force
  view-samples s.h5 --limit 300 > s.csv && head -n 1 s.csv
  tail -n +2 s.csv | grep -cxE '(red|blue|green),(small|large),[0-6],plain'
done
# All rows that there are have probability 1 together.
{ head -n 1 t.csv && printf '%s\n' {red,blue,green},{small,large},{0..6},plain; } > all.csv
pack-data csv all.csv --categorical auto -o all.h5 -q
elbo-eval arm.h5 all.h5 --method exact --per-example p.csv -q > /dev/null
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "log_likelihood") c = i } NR > 1 { sum += exp($c) } END { printf "%.5f\n", sum }' p.csv
# A code takes the bits of three colours, two sizes and seven numbers, not of seven each.
for family in vae kaem arm; do
  bits-back-encode $family.h5 --dataset t.h5:test --model-only -o t.lpx -q --force
  bits-back-decode $family.h5 t.lpx -o $family.idx -q --force && cmp vae.idx $family.idx
  elbo-eval $family.h5 t.h5:test --det -q | jq '.result.log_likelihood.value > -5'
done
bits-back-decode --list -v t.lpx 2> /dev/null | grep -o '"values":"[a-z]*"'
# Where a column has one word, and all others two at most, that one is certain.
awk 'BEGIN { srand(1); print "a,b,c"; for (i = 0; i < 200; ++i) printf "%s,x,%s\n", rand() < 0.5 ? "no" : "yes", rand() < 0.2 ? "in" : "out" }' > b.csv
pack-data csv b.csv --categorical auto -o b.h5 -q
train-vae b.h5 -o b.vae.h5 --preset tiny --likelihood bernoulli --steps 20 -q
fit-prior b.h5 -o b.kaem.h5 --preset tiny --likelihood bernoulli --steps 10 -q
for family in vae kaem; do
  sample-model b.$family.h5 -n 300 -o s.h5 -q --force && view-samples s.h5 --limit 300 | grep -cxE '(no|yes),x,(in|out)'
done
