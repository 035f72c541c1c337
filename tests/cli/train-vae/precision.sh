# With --precision bf16 threads change no byte either, and the model says how it was trained; what needs repeatable
# numbers refuses it (bad-options.sh).
logpx doctor | grep -q '^ok    bf16 *multiplied by' || { echo "this processor does not multiply bf16" >&2; exit 77; }
make-data digits -n 200 -o digits.h5 -q
train() { train-vae digits.h5 -o "$1" --preset tiny --binarise static --hidden 256 --batch 128 --steps 4 --valid 0 -q "${@:2}"; }
train one.h5 --precision bf16 -j 1
train three.h5 --precision bf16 -j 3
cmp one.h5 three.h5 && echo "the same bytes"
train f32.h5
for model in one f32; do
  inspect --provenance "$model.h5" -q | jq -r .config.precision
done
[ "$(inspect --hash one.h5 -q)" != "$(inspect --hash f32.h5 -q)" ] && echo "other weights"
