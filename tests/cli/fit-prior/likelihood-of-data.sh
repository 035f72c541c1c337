# With a dataset and -o alone the likelihood is one that suits the data: the trainer says which, and the model
# keeps the word. What no likelihood takes is refused.
train() {  # DATA OPTIONS...
  rm -f -- "$1".kaem.*
  fit-prior "$1.h5" -o "$1.kaem.h5" --preset tiny --steps 3 --batch 10 "${@:2}" 2> err || { cat err; return; }
  grep -e ': --likelihood' err
  inspect "$1.kaem.h5" -q | jq -r '.result.attributes.config | .likelihood + ", mean " + .mean_activation'
  elbo-eval "$1.kaem.h5" "$1.h5" -q > report.json 2> err || cat err
}
make-data digits -n 60 --size 8 -o digits.h5 -q && train digits
make-data bars -n 60 -o bars.h5 -q && train bars
make-data markov-text -n 60 --length 16 -o text.h5 -q && train text
{ echo a,b; for i in $(seq 60); do echo "$((i % 7)).5,$((i * 3 % 5))"; done; } > reals.csv
pack-data csv reals.csv -o reals.h5 -q && train reals
{ echo colour,size; for i in $(seq 20); do printf 'red,small\nblue,large\ngreen,large\n'; done; } > words.csv
pack-data csv words.csv --categorical auto -o words.h5 -q && train words
make-data shapes2d spiral --bits 8 -n 60 -o whole.h5 -q && train whole
{ echo job,age; for i in $(seq 30); do printf "clerk,$i.5\nnurse,33.25\n"; done; } > mixed.csv
pack-data csv mixed.csv --categorical auto -o mixed.h5 -q && train mixed
# What options say decides before the data do.
train digits --binarise static
train digits --dequantise uniform
train bars --obs-std 0.3
train reals --obs-std learn --mean-activation tanh
train reals --pca 2 --mean-activation identity
# An encoder, and a generator that was trained before, keep the word.
fit() { fit-prior bars.h5 --preset tiny --steps 3 -q "$@" 2> err || cat err; }
fit -o k.h5 && fit -o ke.h5 --encoder-for k.h5 && fit -o kg.h5 --init-generator k.h5
for model in k ke kg; do inspect $model.h5 -q | jq -r .result.attributes.config.likelihood; done
