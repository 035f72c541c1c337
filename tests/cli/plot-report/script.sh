# The script alone draws the same picture elsewhere, and needs no gnuplot to be written.
cp "$TEST_DIR/small.json" .
PATH=$(dirname "$(command -v plot-report)") plot-report small.json -o chart.gp
command -v gnuplot > /dev/null || { echo "no gnuplot" >&2; exit 77; }
plot-report small.json -o chart.svg -q
gnuplot -d chart.gp > elsewhere.svg
diff <(sed '/<title>/d; /<desc>/d' chart.svg) <(sed '/<title>/d; /<desc>/d' elsewhere.svg) && echo same
