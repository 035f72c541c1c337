# The hint at the end names nothing that came down a pipe, nor anything that went down one.
make-data bars -n 60 -o bars.h5 -q
cp bars.h5 'two words.h5'
train='train-vae --preset tiny --batch 10 --steps 3'
$train - -o a.h5 < bars.h5
$train <(cat bars.h5) -o b.h5
$train 'two words.h5:train' -o c.h5
$train bars.h5 -o - > d.h5
$train bars.h5 -o /dev/null
