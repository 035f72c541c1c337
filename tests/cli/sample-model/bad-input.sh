# What a model cannot be asked for: what, where, and what would help.
make-data digits -n 60 --size 8 -o digits.h5 -q
make-data bars -n 10 -o bars.h5 -q
train-vae digits.h5 --preset tiny --latent 3 --binarise static -o vae.h5 -q
train-vae digits.h5 --preset tiny --latent 1 --binarise static -o line.h5 -q
try() { sample-model "$@" -o s.h5 -q || echo "exit $?"; }
try vae.h5 --manifold 5
try line.h5 --manifold 5
try vae.h5 --manifold 5 --dims 0,3
try vae.h5 --manifold 5 --dims 1,1
try vae.h5 --manifold 5 --dims 1
try vae.h5 --manifold 5 --encode digits.h5
try vae.h5 --manifold 5 --mean
echo '{"mean": true, "temperature": 0.5}' > cool.json
sample-model vae.h5 -n 4 --config cool.json -o cool.h5 -q --json | grep -E '"(mean|temperature)"'
sample-model vae.h5 --manifold 4 --dims 0,1 --config cool.json -o grid.h5 -q --json | grep -c '"mean"'
sample-model vae.h5 -n 4 --set temperature=hot -o s.h5 -q || echo "exit $?"
try vae.h5 --points 5
try vae.h5 --traverse 7
try vae.h5 --traverse 0 --range 1
try vae.h5 --interpolate 0,1
try vae.h5 --interpolate 0 --data digits.h5
try vae.h5 --interpolate 0,60 --data digits.h5
try vae.h5 --interpolate 0,5 --data digits.h5:test
try vae.h5 --reconstruct digits.h5 --index 50:70
try vae.h5 --reconstruct digits.h5 --index 9:9
try vae.h5 --reconstruct bars.h5
try vae.h5 --encode bars.h5 --binarise none
try vae.h5 --encode digits.h5 --binarise none
try vae.h5 --encode digits.h5 --binarise sometimes
try vae.h5 --encode vae.h5
try vae.h5 --weights ema
ls s.h5 2> /dev/null
true
