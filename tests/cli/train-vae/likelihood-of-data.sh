# With a dataset and -o alone the likelihood is one that suits the data: the trainer says which, and the model
# keeps the word. What no likelihood takes is refused.
word() { inspect "$1" -q | jq -r .result.attributes.config.likelihood; }
train() {  # DATA OPTIONS...
  train-vae "$1.h5" -o "$1.vae.h5" --preset tiny --steps 3 --batch 10 "${@:2}" 2> err || { cat err; return; }
  grep -e '--likelihood' err
  word "$1.vae.h5"
  elbo-eval "$1.vae.h5" "$1.h5" -q > report.json 2> err || cat err
}
make-data digits -n 60 --size 8 -o digits.h5 -q && train digits
make-data bars -n 60 -o bars.h5 -q && train bars
make-data markov-text -n 60 --length 16 -o text.h5 -q && train text
make-data gauss -n 60 -o gauss.h5 -q && train gauss
{ echo colour,size; for i in $(seq 20); do printf 'red,small\nblue,large\ngreen,large\n'; done; } > words.csv
pack-data csv words.csv --categorical auto -o words.h5 -q && train words
{ echo a,b; for i in $(seq 60); do echo "$((i % 7)),$((i * 3 % 50))"; done; } > whole.csv
pack-data csv whole.csv --content symbols -o whole.h5 -q && train whole
pack-data csv whole.csv -o numbers.h5 -q && train numbers
{ echo job,age; for i in $(seq 30); do printf "clerk,$i.5\nnurse,33.25\n"; done; } > mixed.csv
pack-data csv mixed.csv --categorical auto -o mixed.h5 -q && train mixed
# What options say of x decides before the data do.
rm -f -- *.vae.*
train digits --binarise static
rm -f -- digits.vae.* && train digits --allow-gray -q
rm -f -- digits.vae.* && train digits --dequantise uniform
rm -f -- gauss.vae.* && train gauss --obs-std learn
# The word that was chosen is a setting like any other: it stands in the settings that make the model again, and a
# checkpoint of a run that was given it goes on.
train-vae bars.h5 -o said.h5 --preset tiny --steps 4 --likelihood bernoulli -q
train-vae bars.h5 -o open.h5 --preset tiny --steps 4 -q
train-vae bars.h5 -o again.h5 --config open.h5 -q
for model in said open again; do inspect $model.h5 --hash -q; done | sort -u | wc -l
inspect open.h5 --provenance -q | jq -r .config.likelihood
train-vae bars.h5 -o said.h5 --preset tiny --steps 8 --resume --force -q && train-vae bars.h5 -o long.h5 --preset tiny --steps 8 -q
for model in said long; do inspect $model.h5 --hash -q; done | sort -u | wc -l
