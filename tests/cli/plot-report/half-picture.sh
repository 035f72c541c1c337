# A gnuplot that writes half a picture and says nothing makes no output.
cp "$TEST_DIR/small.json" .
mkdir bin
printf '#!/bin/sh\nprintf "<?xml version=\\"1.0\\"?><svg><g>" > chart\n' > bin/gnuplot
chmod +x bin/gnuplot
PATH=$PWD/bin:$PATH plot-report small.json -o chart.svg
echo $?
printf '#!/bin/sh\necho "no such terminal" >&2; exit 1\n' > bin/gnuplot
PATH=$PWD/bin:$PATH plot-report small.json -o chart.svg
echo $?
ls
