# Two evaluations example by example: the difference and its error; a file that does not fit.
set -u
. "$CLI_TESTS/elbo-eval/inputs"
train-vae digits.h5 -o wide.h5 --preset tiny --binarise static --hidden 32 -q
elbo-eval vae.h5 digits.h5 --per-example a.h5 -q > a.json
elbo-eval wide.h5 digits.h5 --per-example b.h5 -q > b.json
elbo-eval vae.h5 digits.h5 --limit 5 --per-example short.h5 -q > short.json
elbo-eval vae.h5 digits.h5 --binarise threshold --per-example bits.h5 -q > bits.json
elbo-eval --compare a.h5,b.h5 | sed -n '/"difference"/,/}/p' | sed 's/-\{0,1\}[0-9]\.[0-9]*/X/'
elbo-eval --compare a.h5,a.h5 -q | grep -A1 '"difference"'
inspect --check a.h5 -q | grep -o '"path": "/[a-z_/]*"'
try() {
  elbo-eval --compare "$1" -q
  echo "$? $1"
}
try a.h5
try a.h5,short.h5
try a.h5,bits.h5
try a.h5,vae.h5
elbo-eval --compare a.h5,b.h5 --method iwae
echo $?
elbo-eval vae.h5 digits.h5 --per-example a.h5 > out
echo $?
