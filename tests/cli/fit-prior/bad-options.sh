# Options that make no sense, alone or together, are refused before any work.
try() { rm -f m.*; fit-prior bars.h5 -o m.h5 --preset tiny --steps 2 -q "$@" || echo "exit $?"; }
make-data bars -n 60 -o bars.h5 -q
try --latent 0
try --latent 2,0
try --latent 2,5,7
try --grid 1
try --nquad 3
try --quadrature gauss-kronrod --nquad 4
try --tau 0
try --tau nan
try --obs-std nan
try --lambda-reg inf
try --domain 1,1
try --domain 2
try --domain nan,1
try --base uniform --domain 2,3
try --base lognormal --domain=-2,-1
try --basis bspline --degree 6
try --basis chebyshev --tau 0.5
try --prior mixture --coupling shared
try --alpha learned
try --alpha-reg entropy
try --alpha-reg l1
try --prior mixture --alpha learned --alpha-reg l1
try --prior mixture --prior-grad pathwise
try --prior-grad quadrature
try --freeze prior,generator
try --freeze encoder
try --obs-std 0
try --obs-std=-1
try --obs-std inf
try --hidden auto:99
try --hidden 8,,8
try --binarise static
try --samples 0
try --ess 2
try --grid-decay 2
try --ema 0.9
try --generator cnn --kernel 3
try --objective se
try --objective mle-pt --posterior is
try --objective elbo
try --posterior hmc
try --posterior ula --coupling shared
try --posterior mala --coupling shared --support reflect
try --posterior ula --base uniform
try --posterior ula --base lognormal --support extend
try --posterior ula --prior-grad pathwise
try --posterior ula --support u-space --coupling shared --objective se --ti-rule left
try --posterior automala --eta 2
try --posterior automala --eta 1e-6
try --posterior automala --eta-min 3
try --posterior ula --eta 0
try --posterior ula --eta nan
try --posterior ula --langevin-steps 0
try --posterior ula --objective se --temps 0
try --posterior ula --objective se --p-start 0
try --posterior ula --objective se --swap-every 0
try --posterior ula --support wrap
try --preset huge
ls m.* 2> /dev/null
true
