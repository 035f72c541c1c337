# What the hint of an error says works.
. "$CLI_TESTS/hints"
given make-data hmm-text -n 60 --length 12 -o text.h5
given make-data digits -n 60 --size 8 -o digits.h5
given make-data bars -n 60 -o bars.h5
pc() { follow train-pc "$@" -o m.h5 --preset tiny --steps 2; }
pc bars.h5 --binarise static
pc text.h5 --hidden 10 --factors 3,3
pc text.h5 --factors auto:2
pc text.h5 --hidden 7 --factors auto:2
pc text.h5 --hidden 7 --factors auto:butterfly
pc text.h5 --lr 0
pc text.h5 --lr 2
pc text.h5 --init dirichlet:x
pc digits.h5 --leaf bernoulli
given train-pc text.h5 -o few.h5 --hidden 4 --steps 2
pc text.h5 --init-model few.h5 --keep-states 0.1
pc text.h5 --algorithm gradient --leaf binomial
pc text.h5 --leaf gaussian
pc text.h5 --arithmetic logsumexp --numerics det
pc text.h5 --hidden 4096 --memory 20MiB
pc text.h5 --structure mixture --hidden 400000 --memory 20MiB
pc text.h5 --structure hclt --styles 3
{ echo x,word; for i in $(seq 30); do echo "$i.5,w$((i % 4))"; done; } > mixed.csv
given pack-data csv mixed.csv --categorical word -o mixed.h5
pc mixed.h5 --tie-leaves all
pc mixed.h5 --structure hmm
echo '{"word": "gaussian"}' > leaves.json && pc mixed.h5 --leaf leaves.json
cut -d, -f2 mixed.csv > words.csv && given pack-data csv words.csv --categorical auto -o words.h5
pc words.h5 --leaf gaussian
pc mixed.h5 --structure table --leaf binomial
pc mixed.h5 --structure table --trees 0 --blocks 0
pc digits.h5 --structure table
pc mixed.h5 --structure hclt --leaf dgaussian
{ echo a,b; for i in $(seq 10 39); do echo "0.$i,0.$((49 - i))"; done; } > shares.csv
given pack-data csv shares.csv -o shares.h5
pc shares.h5 --structure table --binarise static
given make-data scenes -n 40 --size 8 -o rgb.h5
for wrong in '--dictionary 8' '--tie-leaves all' '--leaf gaussian' '--structure hmm' '--binarise static'; do
  pc rgb.h5 --transform ycocg-r $wrong
done
pc digits.h5 --transform ycocg-r
pc text.h5 --structure pd
pc text.h5 --structure rat --tie-leaves channel
pc digits.h5 --structure rat --repetitions 60000 --hidden 2 --binarise static
pc digits.h5 --structure quad-tree --splits 4 --hidden 220 --product kronecker --binarise static
given make-data digits -n 20 -o large.h5
pc large.h5 --structure pd --pd-step 1
mkdir photos
for i in 1 2; do { printf 'P5\n150 150\n255\n'; head -c 22500 /dev/zero | tr '\0' "$i"; } > photos/$i.pgm; done
given pack-data images photos -o photos.h5
pc photos.h5 --structure quad-graph --binarise threshold
given train-pc text.h5 -o factor.h5 --hidden 2 --steps 1
pc text.h5 --init product:factor.h5,factor.h5 --normalize none
pc text.h5 --init product:factor.h5,factor.h5 --normalize push
# tables with very many columns
numbers() { awk -v n="$1" 'BEGIN { for (i = 0; i < 6; i++) { s = ""; for (j = 0; j < n; j++) s = s (j ? "," : "") (i ? (i * j) % 7 + 0.25 * i : "c" j); print s } }'; }
numbers 1030 > wide.csv
given pack-data csv wide.csv -o wide.h5
follow train-pc wide.h5 -o wide.pc.h5 --blocks 2 --epochs 1 --trees 1 --hidden 2 --mi-bins 2
numbers 16400 > many.csv
given pack-data csv many.csv -o many.h5
follow_by 'pack-data csv many.csv --columns 1-1000 -o thousand.h5 --force' train-pc many.h5 -o many.pc.h5 --epochs 1
