# A model of gray pixels under the Bernoulli says that it is one; presets set what the manual says.
make-data digits -n 60 --size 8 -o digits.h5 -q
train-vae digits.h5 --preset tiny --allow-gray -o gray.h5 -q && inspect gray.h5 | grep -c '"allow_gray": true'
for preset in modern small tiny paper paper-frey bits-back ppca; do
  echo $preset
  train-vae digits.h5 -o m.h5 --preset $preset --print-config |
    grep -E '"(latent|hidden|likelihood|init|init_output_bias|optimizer|lr|weight_prior|encoder)":' | tr -d '\n'
  echo
done
