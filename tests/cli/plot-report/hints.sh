# What the hint of an error says works.
. "$CLI_TESTS/hints"
given make-data bars -n 60 -o d.h5
given train-vae d.h5 -o m.h5 --preset tiny --report r.json
follow_by 'plot-report r.json m.history.jsonl -o a.gp' plot-report m.h5 -o a.gp
echo words > words.txt
follow_by 'plot-report m.history.jsonl -o b.gp' plot-report words.txt -o b.gp
follow_by 'plot-report m.history.jsonl --series elbo_train -o d.gp' plot-report m.history.jsonl --series nothing -o d.gp
follow_by 'plot-report m.history.jsonl -o e.gp' plot-report m.history.jsonl -o e.csv
follow_by 'plot-report m.history.jsonl -o g.gp' plot-report m.history.jsonl -o g.gp --format svg
tools=$(dirname "$(command -v plot-report)")
follow_by 'plot-report m.history.jsonl -o h.gp' env PATH="$tools" plot-report m.history.jsonl -o h.svg
echo '{"schema": "of another program"}' > other.json
given elbo-eval m.h5 d.h5 --report bits.json
follow_by 'plot-report bits.json -o i.gp && plot-report m.history.jsonl -o j.gp' plot-report other.json -o i.gp
result='"log_likelihood": {"value": -5, "unit": "nats", "kind": "exact"}'
for measure in probability density; do
  echo "{\"schema\": \"logpx.report/1\", \"config\": {\"binarise\": \"none\"}, \"result\": {\"measure\": \"$measure\", $result}}" > $measure.json
  echo "{\"schema\": \"logpx.report/1\", \"config\": {\"binarise\": \"static\"}, \"result\": {\"measure\": \"$measure\", $result}}" > $measure.bits.json
done
follow plot-report probability.json density.json -o k.gp
follow plot-report density.json density.bits.json -o l.gp
