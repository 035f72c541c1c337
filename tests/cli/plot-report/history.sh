# A history is drawn from its lines: both sides of a measure by default, others by name.
cp "$TEST_DIR/history.jsonl" .
plot-report history.jsonl -o a.gp -v 2>&1 | grep -v wall
plot-report history.jsonl -o b.gp --series kl --x samples_seen --log-x -q
grep -A5 '^$panel0_0' b.gp
plot-report history.jsonl -o c.gp --series elbo
echo $?
plot-report history.jsonl -o c.gp --x epoch
echo $?
plot-report history.jsonl -o d.gp --series kl --y-range=:20 -q
grep 'set yrange' d.gp
