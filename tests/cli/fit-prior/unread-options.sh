# An option that nothing reads is refused where it is typed; in a preset or a settings file it is none of the
# user's words.
make-data bars -n 60 -o bars.h5 -q
fit() { rm -f m.*; fit-prior bars.h5 -o m.h5 --preset tiny --steps 2 --batch 10 -q "$@"; }
try() { fit "$@" && echo "taken: $*"; [ ! -e m.h5 ] || ls m.h5; }
# weights and chains
for option in '--resampler residual' '--ess 0.3' '--samples 8'; do try --posterior ula $option; done
try --ess 0.3
for option in '--langevin-steps 3' '--eta 0.1' '--support reflect' --persistent '--grid-samples 9'; do try $option; done
for option in '--eta-min 0.1' '--eta-max 2' '--unadjusted 2' '--precondition diag'; do try --posterior mala $option; done
try --set langevin_steps=3
# temperatures
for option in '--temps 3' '--p-start 1' '--p-end 1' '--p-cycles 1' '--swap deo' '--swap-every 2' '--swap-scope shard'; do
  try --posterior ula $option
done
try --posterior ula --objective mle-pt --ti-rule left
try --posterior ula --objective se --temps 1 --p-end 1
try --posterior ula --objective se --temps 1 --swap deo
try --posterior ula --objective se --swap off --swap-every 2
# grids and penalties
for option in '--grid-every 9' '--grid-decay 0.9' '--grid-ratio 0.5' '--grid-pad 0' '--grid-targets prior'; do
  try --no-grid-update $option
done
for option in '--mu-l1 2' '--mu-entropy 2' '--mu-coef 2' '--mu-steps 2' '--reg-targets prior'; do try $option; done
for option in '--prior-grad score' '--l2-energy 1'; do try --freeze prior $option; done
try --lambda-alpha 1
try --prior mixture --alpha learned --alpha-reg entropy
# curves, networks, likelihoods
try --degree 2
try --basis chebyshev --grid 9
try --basis bspline --tau 2
try --basis bspline --tau-fixed
try --generator cnn --hidden 9
for option in '--channels 1' '--kernel 3' '--strides 1' '--pads 1' --latent-concat --batchnorm '--leaky-slope 0.1' \
  --autoregressive; do
  try $option
done
try --generator cnn --layer-norm
try --generator mlp --layer-norm
try --generator mlp --range-fix sigmoid
try --likelihood bernoulli --obs-std 0.3
try --likelihood bernoulli --mean-activation tanh
try --binarise-seed 3
# The same words count where something reads them, and in a file they may stand.
fit --posterior mala --objective se --temps 2 --langevin-steps 2 --eta 0.002 --ti-rule left --swap deo --swap-every 2
fit --posterior ula --prior-grad cd --samples 8 --langevin-steps 2 --eta 0.002
fit --resampler systematic --ess 0.3
fit --prior mixture --alpha learned --alpha-reg entropy --lambda-alpha 0.1
fit --basis bspline --degree 2 --grid 5
fit --likelihood discretised-gaussian --obs-std 0.3 --mean-activation tanh
fit --generator cnn --leaky-slope 0.1
fit && mv m.h5 weights.h5
fit --config weights.h5 --posterior ula --eta 0.002
