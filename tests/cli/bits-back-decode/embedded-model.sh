# Where a model lies in the archive with rounded weights, the one that was named is said to be another.
set -u
make-data digits -n 60 --size 8 -o digits.h5 -q
train-vae digits.h5 -o vae.h5 --preset tiny --steps 5 -q
bits-back-encode vae.h5 --dataset digits.h5 --model-only --embed-model -o digits.lpx -q
bits-back-decode vae.h5 digits.lpx -o back.idx 2>&1 | sed 's/[0-9a-f]\{8\}\.\.\./HASH/g'
echo "exit ${PIPESTATUS[0]}"
bits-back-decode --trust-embedded-model digits.lpx -o back.idx -q
pack-data idx back.idx -o back.h5 -q
elbo-eval vae.h5 digits.h5:test -q | jq .result.log_likelihood.std_error > there
elbo-eval vae.h5 back.h5 --rows 55:60 -q | jq .result.log_likelihood.std_error > back
grep -c '^[0-9]' there
cmp there back
