# An interrupt while gnuplot draws: exit 143, no output, no scratch folder.
cp "$TEST_DIR/small.json" .
mkdir bin
printf '#!/bin/sh\nsleep 1\n' > bin/gnuplot
chmod +x bin/gnuplot
PATH=$PWD/bin:$PATH plot-report small.json -o chart.svg &
pid=$!
sleep 0.4
kill -TERM $pid
wait $pid
echo $?
{ ls -A; ls -A "$TMPDIR"; } | grep -e chart -e logpx || echo nothing left
