# The suffix chooses the format: SVG, PNG, PDF or the script; without one --format must.
command -v gnuplot > /dev/null || { echo "no gnuplot" >&2; exit 77; }
cp "$TEST_DIR/small.json" .
for name in a.svg a.PNG a.pdf a.gp; do plot-report small.json -o $name -q; head -c 5 $name | tail -c 4 | tr -d '\n'; echo; done
tail -c 6 a.pdf
plot-report small.json -o b.pdf -q
cmp a.pdf b.pdf && echo "repeats byte for byte"
plot-report small.json -o chart
plot-report small.json -o chart --format pdf
head -c 5 chart; echo
plot-report small.json -o chart.svg --format png
plot-report small.json -o - --format pdf | head -c 5; echo
plot-report small.json -o - | head -c 5; echo
plot-report small.json -o chart.csv
ls
