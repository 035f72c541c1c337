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
# A course of temperatures belongs to its number of updates; a ladder that stays may become longer.
chains() {
  fit-prior digits.h5 --preset tiny --batch 10 -o c.h5 --force --resume -q --posterior ula --objective se --temps 2 \
    --langevin-steps 2 --eta 0.002 "$@" || echo "exit $?"
}
chains --steps 3
chains --steps 6
chains --steps 6 --force-resume
rm c.ckpt.h5 && chains --steps 3 --p-end 2 && chains --steps 6 --p-end 2
# Of a model whose parts a fit began with the content counts, not the name.
start() { fit-prior digits.h5 --preset tiny --batch 10 -o s.h5 --force --resume -q "$@" || echo "exit $?"; }
start --steps 3 --init-prior straight.h5
mkdir elsewhere && mv straight.h5 elsewhere/moved.h5
start --steps 6 --init-prior elsewhere/moved.h5
start --steps 6 --init-prior c.h5
start --steps 6 --init-generator elsewhere/moved.h5
start --steps 6
