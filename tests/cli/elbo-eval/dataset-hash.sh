# Another dataset than that of the training is evaluated, with a warning that the report keeps.
set -eu
. "$CLI_TESTS/elbo-eval/inputs"
make-data digits -n 60 --size 14 -s 2 -o twin.h5 -q
elbo-eval vae.h5 twin.h5 --limit 3 -q > report.json
grep -A1 '"warnings"' report.json
elbo-eval vae.h5 digits.h5 --limit 3 -q > out
