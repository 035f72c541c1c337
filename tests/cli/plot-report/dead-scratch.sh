# The scratch folder that a killed run left is removed by the next one; that of a living one stays.
cp "$TEST_DIR/small.json" .
mkdir "$TMPDIR"/logpx-chart-{dead00,living}
touch "$TMPDIR/logpx-chart-dead00/.chart.gp.tmp.0123456789abcdef"
exec 9< "$TMPDIR/logpx-chart-living"
flock 9
plot-report small.json -o chart.svg -q
ls "$TMPDIR" | grep chart
