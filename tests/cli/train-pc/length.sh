# Where nobody says how long a table trains, rows that are held back do; what is asked for is what is done.
set -u
{ echo colour,size; for _ in $(seq 60); do printf 'red,small\nblue,large\ngreen,large\n'; done; } > t.csv
pack-data csv t.csv --categorical auto -o t.h5 -q
steps() { jq '.result.steps' report.json; }
fit() { train-pc "$@" --report report.json --force; }
score() { elbo-eval "$1" t.h5 -q 2> /dev/null | jq '.result.log_likelihood.value'; }
fit t.h5 -o m.h5 2> said.txt && head -n 1 said.txt
echo "more steps than five epochs, and nearly the truth: $(jq -n "$(steps) > 20 and $(score m.h5) > -1.13")"
printf 'colour,size\nred,\n' > gap.csv
query-pc m.h5 gap.csv --query marginal -o - -q | awk -F, '$3 == "large" { print "p(large|red) is " ($4 < 0.03 ? "nearly 0" : $4) }'
# The same for any number of threads, and again by the settings that the model remembers.
chosen=$(steps)
fit t.h5 -o one.h5 -j 1 -q && score one.h5 | grep -qx -- "$(score m.h5)" && echo "the same model"
fit t.h5 -o again.h5 --config m.h5 2> said.txt && grep -c "held back" said.txt
[ "$(steps)" = "$chosen" ] && score again.h5 | grep -qx -- "$(score m.h5)" && echo "the same model"
train-pc t.h5 -o planned.h5 --dry-run 2>&1 | grep -c "^train-pc: steps $chosen of"
# A run that was cut goes on to the same end.
fit t.h5 -o cut.h5 --resume -q && fit t.h5 -o cut.h5 --resume -q && score cut.h5 | grep -qx -- "$(score m.h5)" && echo "the same model"
for length in "--epochs 5" "--steps 7" "--samples-seen 360" "--max-seconds 60s" "--preset tiny"; do
  # shellcheck disable=SC2086
  fit t.h5 -o said.h5 $length 2> said.txt; echo "$length: $(steps) steps, $(grep -c 'to see how many' said.txt) searches"
done
# Validation rows judge where there are some. A few rows, text and pictures are trained as ever.
pack-data csv t.csv --categorical auto --shuffle-seed 1 --split train:150,valid:rest -o v.h5 -q
fit v.h5 -o v.m.h5 2>&1 | head -n 1
head -n 9 t.csv > few.csv && pack-data csv few.csv --categorical auto -o few.h5 -q && fit few.h5 -o few.m.h5 -q && steps
make-data hmm-text -n 300 --length 8 -o text.h5 -q && fit text.h5 -o text.m.h5 --factors 2,2 -q && steps
# Rows of which nothing is known neither train nor judge.
{ echo a,b; for i in $(seq 12); do echo "x,"; echo ","; echo ","; echo ",y$((i % 2))"; done; } > holes.csv
pack-data csv holes.csv --categorical auto --missing keep -o holes.h5 -q && fit holes.h5 -o holes.m.h5 2>&1 | head -n 1
