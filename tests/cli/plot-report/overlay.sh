# Two reports lie side by side, named by --label; the chart says where its numbers are from.
command -v gnuplot > /dev/null || { echo "no gnuplot" >&2; exit 77; }
cp "$TEST_DIR"/*.json .
plot-report small.json large.json -o chart.svg --label A,B
grep -c '<svg' chart.svg
grep -A1 '<desc>' chart.svg
plot-report small.json large.json -o chart.png -q
grep -ac 'elbo-eval large.h5 digits.h5:test' chart.png
plot-report small.json large.json -o chart.gp --label A
echo $?
