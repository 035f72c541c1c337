# A file that may not become as large as the picture: exit 1 and why, also where it is gnuplot that cannot write on.
cp "$TEST_DIR/small.json" .
(ulimit -f 4; exec plot-report small.json -o chart.svg)
echo "exit $?"
ls
