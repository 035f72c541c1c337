# A resumed run whose settings have changed is refused, and every change is listed.
make-data bars -n 60 -o bars.h5 -q
train-vae bars.h5 --preset tiny -o m.h5 -q
again() { train-vae bars.h5 --preset tiny -o m.h5 --force --resume -q "$@" || echo "exit $?"; }
again --lr 0.01 --objective iwae --hidden 8
again -s 2 --lr-warmup 3
again --epochs 3 && inspect m.h5 --hash -q > long
train-vae bars.h5 --preset tiny -o straight.h5 --epochs 3 -q && inspect straight.h5 --hash -q | cmp - long
