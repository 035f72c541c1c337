# Where the data know their own log p(x), a bound lies below it on average, by the gap reported.
set -eu
make-data bars -n 600 -o bars.h5 -q
train-vae bars.h5 -o bars-vae.h5 --preset tiny -q
quantity() {
  sed -n "/\"$1\": {/,/}/p" | grep -oE '"(value|kind|n)": [^,]*' | sed 's/[0-9]*\.[0-9]*$/X/'
}
elbo-eval bars-vae.h5 bars.h5 -q > report.json
quantity gap_to_truth < report.json
quantity bits_per_dim < report.json
elbo-eval bars-vae.h5 bars.h5 --method iwae --samples 20 -q | quantity gap_to_truth
