# Without gnuplot a picture is a usage error that says how to go on; nothing is left behind.
cp "$TEST_DIR/small.json" .
PATH=$(dirname "$(command -v plot-report)") plot-report small.json -o chart.svg
echo $?
ls -A
