# What the hint of an error says works.
. "$CLI_TESTS/hints"
given make-data bars -n 60 -o bars.h5
given make-data digits -n 60 --size 8 -o digits.h5
kaem() { follow fit-prior "$@" -o m.h5 --preset tiny --steps 2; }
# options that do not go together
kaem bars.h5 --base uniform --domain 2,3
kaem bars.h5 --base lognormal --domain -2,-1
kaem bars.h5 --basis bspline --degree 6
kaem bars.h5 --basis chebyshev --tau 0.5
kaem bars.h5 --quadrature gauss-kronrod --nquad 4
kaem bars.h5 --prior mixture --coupling shared
kaem bars.h5 --alpha learned
kaem bars.h5 --alpha-reg entropy --lambda-alpha 0.1
kaem bars.h5 --prior mixture --alpha-reg entropy --lambda-alpha 0.1
kaem bars.h5 --prior mixture --prior-grad pathwise
kaem bars.h5 --prior-grad quadrature
kaem bars.h5 --freeze prior,generator
kaem bars.h5 --ema 0.9
kaem bars.h5 --objective se
kaem bars.h5 --posterior ula --coupling shared
kaem bars.h5 --posterior ula --base uniform
kaem bars.h5 --posterior ula --prior-grad pathwise
kaem bars.h5 --posterior ula --support u-space --coupling shared --objective se --ti-rule left
kaem bars.h5 --posterior automala --eta 2
kaem bars.h5 --posterior automala --eta-min 1
kaem bars.h5 --posterior automala --eta-min 3 --eta 1
kaem bars.h5 --alpha-reg l1 --lambda-alpha 0.1 --prior mixture --alpha learned
kaem bars.h5 --lambda-reg 1 --reg-targets generator --generator mlp
kaem bars.h5 --generator seq
kaem bars.h5 --posterior encoder --coupling independent --prior-grad quadrature
kaem bars.h5 --posterior encoder --freeze prior --lambda-reg 1
kaem bars.h5 --posterior encoder --no-grid-update --ema 0.9
kaem digits.h5 --generator cnn --batchnorm --posterior ula
kaem bars.h5 --pca 4
kaem bars.h5 --pca 4 --mean-activation identity --numerics det
kaem bars.h5 --whiten --mean-activation identity
kaem digits.h5 --pca 4 --likelihood bernoulli --binarise static --mean-activation identity
given make-data shapes2d two-moons -n 60 -o moons.h5
kaem moons.h5 --strict --mean-activation sigmoid
kaem moons.h5 --generator seq
chains='fit-prior digits.h5 -o far.h5 --preset tiny --steps 2 --posterior ula'
# shellcheck disable=SC2086
follow_by "$chains --obs-std 0.2 --force" $chains --obs-std 1e-22
# data that the likelihood does not take, or gives no probability
kaem digits.h5 --likelihood bernoulli
given make-data hub -n 60 -o hub.h5
kaem hub.h5 --likelihood gaussian
kaem digits.h5 --likelihood categorical --binarise static
follow_by 'fit-prior digits.h5 -o m.h5 --preset tiny --steps 2 --obs-std 0.3 --force' \
  fit-prior digits.h5 -o m.h5 --preset tiny --steps 2 --obs-std 1e-160
follow_by 'fit-prior bars.h5 -o m.h5 --preset tiny --steps 2 --posterior ula --eta 0.001 --force' \
  fit-prior bars.h5 -o n.h5 --preset tiny --steps 2 --posterior ula --eta 1e5
printf 'x,y\n0.25,1\n0.75,1\n0.1,1\n' > line.csv
given pack-data csv line.csv -o line.h5
line='fit-prior line.h5 -o l.h5 --preset tiny --steps 2 --batch 4 --valid 0 --mean-activation identity'
# shellcheck disable=SC2086
follow_by "$line --pca 1 --whiten --force" $line --pca 2 --whiten
# parts of other models
given fit-prior bars.h5 -o k.h5 --preset tiny --steps 2
follow_by 'fit-prior bars.h5 -o i.h5 --preset tiny --steps 2 --init-prior k.h5 --force' \
  fit-prior bars.h5 -o i.h5 --preset tiny --steps 2 --init-prior k.h5 --base uniform
given make-data gauss -n 3000 --dim 30 -o wide.h5
follow fit-prior wide.h5 -o w.h5 --preset tiny --likelihood gaussian --mean-activation identity --pca 4 --memory 900Ki --steps 2
# values that are missing
{ echo a,b; for i in $(seq 30); do echo "$((i % 3)),$((i % 2))"; done; echo ,1; } > holes.csv
given pack-data csv holes.csv --missing keep -o holes.h5
follow_by 'train-pc holes.h5 -o holes.pc.h5 --preset tiny --steps 2 && pack-data csv holes.csv --missing drop-row -o whole.h5 &&
  fit-prior whole.h5 -o holes.m.h5 --preset tiny --steps 2' fit-prior holes.h5 -o holes.m.h5 --preset tiny --steps 2
