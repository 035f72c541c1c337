# An encoder is fitted to a model that stays as it is; what it cannot be fitted to is refused, and nothing is
# written.
make-data digits -n 60 --size 8 -o digits.h5 -q
make-data bars -n 60 -o bars.h5 -q
fit-prior digits.h5 -o k.h5 --preset tiny --steps 20 -q
train-vae bars.h5 -o vae.h5 --preset tiny --steps 2 -q
try() { fit-prior digits.h5 -o m.h5 --preset tiny --batch 10 --steps 4 -q "$@" || echo "exit $?"; [ ! -e m.h5 ] || ls m.h5; }
echo "a model of another family" && try --encoder-for vae.h5
echo "no model" && try --encoder-for digits.h5
echo "no file" && try --encoder-for nothing.h5
head -c 3000 k.h5 > half.h5
echo "half a file" && try --encoder-for half.h5
echo "data of another size" && fit-prior bars.h5 -o m.h5 --encoder-for k.h5 -q || echo "exit $?"
echo "options of the model" && try --encoder-for k.h5 --latent 3 && try --encoder-for k.h5 --likelihood bernoulli
echo "options of its learning" && try --encoder-for k.h5 --samples 10 && try --encoder-for k.h5 --freeze prior
echo '{"latent": [3], "steps": 4}' > latent.json
echo '{"samples": 7}' > samples.json
echo '{"latent": [2, 5], "domain": [-1.5, 1.5], "obs_std": "0.20", "coupling": "auto", "lr": 0.01}' > same.json
echo "settings that say otherwise" && try --encoder-for k.h5 --config latent.json && try --encoder-for k.h5 --config samples.json
echo "settings that say the same" && try --encoder-for k.h5 --config same.json --dry-run
echo "units of no encoder" && try --encoder-hidden 20
echo "no units" && try --encoder-for k.h5 --encoder-hidden 0
echo "over its own model" && fit-prior digits.h5 -o k.h5 --encoder-for k.h5 -q --force || echo "exit $?"
echo "a dry run" && try --encoder-for k.h5 --dry-run
echo "an encoder" && try --encoder-for k.h5
mv m.h5 ke.h5 && mv m.ckpt.h5 ke.ckpt.h5 && mv m.history.jsonl ke.history.jsonl
echo "an encoder for one that has one" && try --encoder-for ke.h5
# A resumed run has the same model, and ends as if it had never stopped.
fit-prior digits.h5 -o other.h5 --preset tiny --steps 3 -q
again() { fit-prior digits.h5 -o ke.h5 --preset tiny --batch 10 --steps 8 -q --force --resume "$@" || echo "exit $?"; }
echo "another model" && again --encoder-for other.h5
echo "the same model" && again --encoder-for k.h5 && inspect ke.h5 --hash -q > long
fit-prior digits.h5 -o straight.h5 --preset tiny --batch 10 --steps 8 --encoder-for k.h5 -q
inspect straight.h5 --hash -q | cmp - long
# Its settings, with the model, make it again.
fit-prior digits.h5 -o twin.h5 --encoder-for k.h5 --config straight.h5 -q && inspect twin.h5 --hash -q | cmp - long
# Every line of the history has the terms that the manual lists.
for key in step epoch samples_seen loss elbo_train recon kl active_units; do
  [ "$(grep -c "\"$key\": " straight.history.jsonl)" = "$(wc -l < straight.history.jsonl)" ] || echo "$key is missing"
done
# What the tools know of it that they do not know of the model alone.
for method in elbo iwae; do
  elbo-eval k.h5 digits.h5 --method $method -q > out 2> err && echo "$method without an encoder"
  elbo-eval straight.h5 digits.h5 --method $method -q > out
done
sample-model straight.h5 --reconstruct digits.h5 --index 0:4 -o r.h5 -q
sample-model straight.h5 --encode digits.h5 --index 0:4 -o e.h5 -q
sample-model k.h5 --reconstruct digits.h5 -o none.h5 -q || echo "exit $?"
