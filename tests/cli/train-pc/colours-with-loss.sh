# --transform ycocg-lossy: log p is that of levels that several colours share, and everything that shows it says so.
set -u
make-data scenes -n 60 --size 8 -o rgb.h5 -q
pc() { train-pc rgb.h5 --structure quad-tree --preset tiny --hidden 3 --steps 2 "$@" -q 2> said || cat said; }
for tied in none channel all; do pc --transform ycocg-lossy --tie-leaves $tied -o $tied.h5; done
pc -o plain.h5 --report plain.json
pc --transform ycocg-lossy -o c.h5 --report c.json
query-pc c.h5 --query export -o - -q | jq -c '[.variables[].cats] | unique'
elbo-eval c.h5 rgb.h5 --per-example c.scores.h5 -q > e.json
elbo-eval plain.h5 rgb.h5 --per-example plain.scores.h5 -q > p.json
query-pc c.h5 rgb.h5 --rows 0:2 --query loglik -q > q.json
for report in plain c p e q; do jq -c --arg of $report '[$of, .result.measure, .result.comparable_to_rgb]' $report.json; done
jq -c '.comparable_to_rgb' c.history.jsonl | sort -u
# Nothing is set beside what it cannot be compared with.
elbo-eval --compare c.scores.h5,plain.scores.h5 -q || echo "exit $?"
plot-report e.json p.json -o both.svg -q || echo "exit $?"
# Draws and fillings are RGB pictures; archives would not give back what was packed.
sample-model c.h5 -n 4 -o s.h5 -q && inspect s.h5 -q | jq -c '.. | objects | select(.levels?) | .levels' | sort -u
query-pc c.h5 rgb.h5 --rows 0:2 --known rows:0-2 --query complete -o filled.h5 -q > /dev/null && echo filled
bits-back-encode c.h5 --dataset rgb.h5 -o no.lpx -q || echo "exit $?"
elbo-eval c.h5 rgb.h5 --det -q || echo "exit $?"
try() { train-pc rgb.h5 -o no.h5 --preset tiny -q --transform ycocg-lossy "$@" || echo "exit $?"; }
try --dictionary 8
try --leaf gaussian
try --structure hmm
ls no.* 2> /dev/null
true
