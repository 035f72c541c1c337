# log p of every example as a table, which join puts beside the rows of the source; the suffix decides.
set -u
make-data mixture -n 60 --dim 3 -o made.h5 -q
view-samples made.h5 --limit 60 | cut -d, -f1-4 | sed '1s/.*/a,"b, c",d,kind/; 5s/^[^,]*/NA/' > t.csv
pack-data csv t.csv --label-column kind --missing drop-row --shuffle-seed 2 --standardise --split train:70%,test:rest -o t.h5 -q
train-vae t.h5 -o vae.h5 --preset tiny --likelihood gaussian --epochs 1 -q
elbo-eval vae.h5 t.h5:test --per-example scores.csv -q > report.json
head -n 1 scores.csv
awk 'NR > 1 { print NR - 2 "," $0 }' t.csv | sort -t, -k1,1 > source
tail -n +2 scores.csv | sort -t, -k1,1 | join -t, source - > joined
wc -l < joined
# The class in the source is the label that the scores name.
awk -F, '$5 != $6 { print "row " $1 " is of class " $5 ", not " $6 }' joined
elbo-eval vae.h5 t.h5:test --per-example - -q | cmp - scores.csv && echo same
elbo-eval vae.h5 t.h5:test --per-example scores.jsonl -q > report.json
head -n 1 scores.jsonl | grep -oE '"[a-z_]+":'
elbo-eval vae.h5 t.h5:test --per-example scores.h5 -q > report.json
view-samples scores.h5 | cmp - scores.csv && echo same
view-samples scores.h5 --rows 3:4 | wc -l
view-samples scores.h5 -o sheet.png
echo "exit $?"
for wrong in scores.pdf scores; do
  elbo-eval vae.h5 t.h5 --per-example $wrong -q
  echo "exit $?"
  [ ! -e $wrong ] || echo "$wrong is there"
done
