# Options that make no sense, alone or together, are refused before any work.
try() { train-vae bars.h5 -o m.h5 --preset tiny -q "$@" || echo "exit $?"; }
make-data bars -n 60 -o bars.h5 -q
try --latent 0
try --hidden 0
try --hidden 8,,8
try --binarise static
try --binarise sometimes
try --dequantise uniform --likelihood bernoulli
try --allow-gray --likelihood categorical
try --likelihood gaussian-fixed --obs-std 0
try --init normal
try --encoder conv --latent-planes 1,2,3
try --encoder conv --latent-planes 0
try --encoder conv --latent-planes 1,257
try --beta 2
try --k 3 --samples 2 --objective iwae
try --kl-warmup 5 --estimator a
try --kl-warmup 5 --kl-cyclic 10,0.5
try --kl-cyclic 10
try --weight-prior 1
try --preset huge
try --valid 0.001
try --numerics det --conv im2col
try --numerics det --precision bf16
try --conv im2col --precision bf16
try --numerics exact
ls m.* 2> /dev/null
true
