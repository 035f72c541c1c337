# Of several runs from other first parameters the best is kept, for any number of threads and interruptions.
set -eu
make-data hmm-text -n 120 --length 16 --states 3 --alphabet 5 -o text.h5 -q
once=(train-pc text.h5 --hidden 3 --batch 20 --lr-schedule constant --lr 0.5 -q)
"${once[@]}" --steps 10 -o one.h5 --report one.json
again=("${once[@]}" --restarts 3)
"${again[@]}" --steps 10 -o three.h5 --report three.json
jq '.result.steps' one.json three.json
jq -n --slurpfile one one.json --slurpfile three three.json \
  '$three[0].result.best.metric >= $one[0].result.metrics.log_p_valid'
[ "$(grep -c . three.history.jsonl)" -ge 3 ] && echo "a line for each run at least"
"${again[@]}" --steps 10 -o threads.h5 -j 2
cmp three.h5 threads.h5 && echo "the same model with two threads"
# A run ends where the next begins, so that a longer one is another.
"${again[@]}" --steps 12 -o three.h5 --resume --force || echo "exit $?"
# Interrupted somewhere, and gone on with.
long=("${again[@]}" --steps 1500 --batch 60 --eval-every 50steps)
"${long[@]}" -o long.h5
timeout -s TERM 0.4 "${long[@]}" -o half.h5 2> interrupted.txt || true  # wherever it is then
"${long[@]}" -o half.h5 --resume --force
cmp long.h5 half.h5 && echo "the same model in two parts"
