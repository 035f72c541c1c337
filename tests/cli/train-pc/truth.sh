# Text of a known hidden Markov model: the fitted one comes near to it, and the report says by how much.
set -eu
make-data hmm-text -n 600 --length 40 --states 4 --alphabet 6 -o t.h5 -q
train-pc t.h5 -o m.h5 --hidden 4 --epochs 30 --batch 50 -q
elbo-eval m.h5 t.h5 -q > report.json
sed -n '/"gap_to_truth": {/,/}/p' report.json | grep -oE '"kind": [^,]*'
# The gap lies above -0.2 nats (rounding and chance) and below 2 of some 60.
sed -n '/"gap_to_truth": {/,/}/p' report.json | sed -n 's/.*"value": \([^,]*\),/\1/p' |
  awk '{ print ($1 > -0.2 && $1 < 2) ? "near" : "far: " $1 }'
