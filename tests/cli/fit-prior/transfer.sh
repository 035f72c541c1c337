# A fit may begin with the prior of one model and the generator of another. The options that belong to a
# part come with it; one that says otherwise is refused with both values, and so are parts that do not fit.
normal="--preset tiny --likelihood gaussian-fixed"
try() { rm -f m.*; fit-prior "$@" -o m.h5 $normal --steps 20 -q || echo "exit $?"; ls m.h5 2> /dev/null; }
make-data bars -n 60 -o bars.h5 -q
make-data digits -n 60 --size 8 -o digits.h5 -q
fit-prior bars.h5 -o k.h5 $normal --steps 20 --latent 3 --grid 6 --base none -q
fit-prior bars.h5 -o other.h5 $normal --steps 20 -q
fit-prior bars.h5 -o mlp.h5 $normal --steps 20 --generator mlp -q
train-vae bars.h5 -o vae.h5 --preset tiny --steps 5 -q
densities() { explain-prior "$1" --p 0,1 -q | jq -c .result; }
densities k.h5 > k.json
echo "a frozen prior stays, whatever the generator" && try bars.h5 --init-prior k.h5 --freeze prior --generator cnn
densities m.h5 | cmp - k.json
inspect m.h5 --provenance -q | jq -c '[.config | .latent, .grid, .base], [.inputs[] | .role]'
echo "without --freeze it is a start" && try bars.h5 --init-prior k.h5 && densities m.h5 | cmp -s - k.json || echo moved
echo "a frozen generator, and another prior" && try bars.h5 --init-generator mlp.h5 --freeze generator --latent 4,5
echo "both" && try bars.h5 --init-prior other.h5 --init-generator mlp.h5
echo "the same again" && try bars.h5 --init-prior k.h5 --latent 3,7 --base none
echo "other latents" && try bars.h5 --init-prior k.h5 --latent 2
echo "another base" && try bars.h5 --init-prior k.h5 --base gaussian
echo "another basis" && try bars.h5 --init-prior k.h5 --basis bspline
echo "another width" && try bars.h5 --init-generator other.h5 --hidden 9
echo "sums that the generator does not take" && try bars.h5 --init-generator other.h5 --latent 4
echo "parts that do not go together" && try bars.h5 --init-prior k.h5 --init-generator other.h5
echo "a generator of other pictures" && try digits.h5 --init-generator mlp.h5
echo "another family" && try bars.h5 --init-prior vae.h5
echo "no model" && try bars.h5 --init-prior digits.h5
echo "no file" && try bars.h5 --init-prior nothing.h5
true
