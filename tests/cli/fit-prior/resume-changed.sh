# A resumed run whose settings have changed is refused, and every change is listed; one that is only
# longer ends as if it had been asked for at once.
make-data digits -n 60 --size 8 -o digits.h5 -q
fit-prior digits.h5 --preset tiny --batch 10 --steps 4 -o m.h5 -q
again() { fit-prior digits.h5 --preset tiny --batch 10 --steps 4 -o m.h5 --force --resume -q "$@" || echo "exit $?"; }
again --lr 0.01 --base uniform --latent 3
again --samples 32 --resampler systematic
again -s 2 --grid-every 20
fit-prior digits.h5 --preset tiny --batch 10 --steps 8 -o m.h5 --force --resume -q && inspect m.h5 --hash -q > long
fit-prior digits.h5 --preset tiny --batch 10 --steps 8 -o straight.h5 -q && inspect straight.h5 --hash -q | cmp - long
