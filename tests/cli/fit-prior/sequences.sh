# A generator seq sees the symbol before each position, and what it has made is scored, drawn and coded like the rest;
# numbers and pictures have none, and are refused with a remedy before any work.
make-data markov-text -n 120 --length 8 -o letters.h5 -q
make-data bars -n 60 -o bars.h5 -q
make-data shapes2d two-moons -n 60 -o moons.h5 -q
try() {
  local data=$1
  shift
  rm -f m.*
  fit-prior "$data" -o m.h5 --preset tiny --steps 2 -q --generator seq "$@" 2> err || echo "exit $?"
  sed -n '/^fit-prior: \(error\|hint\)/p' err
  [ ! -e m.h5 ] || echo made
}
try bars.h5
try bars.h5 --no-autoregressive --likelihood categorical
try moons.h5
try moons.h5 --no-autoregressive
try letters.h5 --posterior ula --langevin-steps 2
try letters.h5 --no-autoregressive
try letters.h5
elbo-eval m.h5 letters.h5:test -q > /dev/null && echo scored
sample-model m.h5 -n 4 -o x.h5 -q && echo drawn
sample-its m.h5 -n 4 -o z.h5 -q && echo drawn from the prior
sample-model m.h5 -n 4 --mean -o y.h5 -q && echo the likeliest
bits-back-encode m.h5 --dataset letters.h5:test -o x.lpx -q || echo "exit $?"
fit-prior letters.h5 -o me.h5 --encoder-for m.h5 --steps 2 -q
bits-back-encode me.h5 --dataset letters.h5:test -o x.lpx -q
bits-back-decode me.h5 x.lpx -o back.idx -q && echo back
