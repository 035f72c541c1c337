# --arithmetic logsumexp: the same training, to rounding.
set -u
make-data hmm-text -n 60 --length 16 --states 3 --alphabet 5 -o text.h5 -q
make-data gauss -n 60 -o real.h5 -q
for arithmetic in scaled logsumexp; do
  train-pc text.h5 -o $arithmetic.h5 --factors 2,3 --epochs 2 --batch 20 --arithmetic $arithmetic -q --report $arithmetic.json
  train-pc real.h5 -o $arithmetic.r.h5 --hidden 3 --epochs 2 --batch 20 --arithmetic $arithmetic -q --report $arithmetic.r.json
done
for kind in '' r.; do
  jq -n --slurpfile a scaled.${kind}json --slurpfile b logsumexp.${kind}json \
    '$a[0].result.metrics.log_p_train - $b[0].result.metrics.log_p_train | . * . < 1e-6'
done
train-pc text.h5 -o no.h5 --arithmetic logsumexp --numerics det -q || echo "exit $?"
train-pc text.h5 -o no.h5 --arithmetic half -q || echo "exit $?"
ls no.* 2> /dev/null
true
