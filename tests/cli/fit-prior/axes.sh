# A model may read x as its scores on principal axes: what elbo-eval says is then of them, samples are
# pictures again, and files cannot be coded by it.
make-data digits -n 200 --size 8 -o digits.h5 -q
fit() { rm -f k.*; fit-prior digits.h5 -o k.h5 --preset tiny --steps 20 --obs-std 0.5 -q "$@" || echo "exit $?"; }
fit --pca 6 --whiten --mean-activation identity
elbo-eval k.h5 digits.h5:test --method is --limit 3 -q | jq -c '.result | .density_of, has("bits_per_dim")'
sample-model k.h5 -n 4 -o s.h5 -q
inspect s.h5 -q | jq -c .result.attributes.dims
bits-back-encode k.h5 digits.h5 -q -o x.lpx || echo "exit $?"
ls x.lpx 2> /dev/null
fit --pca 65 --mean-activation identity
fit --pca 6
fit --pca 6 --likelihood bernoulli --binarise static
fit --pca 6 --generator cnn --mean-activation identity
fit --whiten
fit --pca 6 --mean-activation identity --numerics det
fit --pca 40 --mean-activation identity --limit 30
true
