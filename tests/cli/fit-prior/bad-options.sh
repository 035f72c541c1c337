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
try --preset huge
ls m.* 2> /dev/null
true
