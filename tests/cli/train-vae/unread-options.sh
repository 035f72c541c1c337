# An option that nothing reads is refused where it is typed, whatever its value; in a preset or a settings file it is
# none of the user's words.
make-data bars -n 60 -o bars.h5 -q
fit() { rm -f m.*; train-vae bars.h5 -o m.h5 --preset tiny --steps 2 --batch 10 --shards 1 -q "$@"; }
try() { fit "$@" && echo "taken: $*"; [ ! -e m.h5 ] || ls m.h5; }
for option in '--beta 1' '--leapfrog 10' '--objective elbo' '--samples 1' '--estimator b'; do
  try --algorithm wake-sleep $option
done
for option in '--k 5' '--beta 1' '--leapfrog 10' '--m-steps 5' '--hmc-accept 0.9' --mcem-restart; do try $option; done
for option in '--samples 1' '--estimator b' '--kl-warmup 0' '--free-bits 0'; do try --objective iwae $option; done
for option in '--kl-warmup 0' '--free-bits 0.1'; do try --estimator a $option; done
for option in '--hidden 4' '--decoder-hidden 4' '--activation relu'; do try --encoder linear $option; done
try --conv-width 1
try --latent-planes 2
try --encoder conv --latent-planes 2 --latent 3
for option in '--context-hidden 4' '--context-share 0.5'; do try $option; done
for option in '--obs-std 1' '--mean-activation identity' '--min-logvar -10' '--components 5'; do
  try --likelihood categorical $option
done
try --binarise-seed 1
# The same words count where something reads them, and in a file they may stand.
fit --objective iwae --k 3
fit --objective beta --beta 2 --samples 2 --kl-warmup 5 --free-bits 0.1
fit --algorithm mcem --leapfrog 3 --m-steps 2
fit --objective iwae --k 3 && mv m.h5 weights.h5
fit --config weights.h5 --algorithm wake-sleep
