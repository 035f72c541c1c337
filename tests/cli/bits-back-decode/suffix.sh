# The name of the output says what comes out: another format is refused, --to makes it, and so does encoding.
printf 'P5\n64 32\n255\n%s' "$(head -c 2048 /dev/zero | tr '\0' 'x')" > a.pgm
bits-back-encode --fallback-only a.pgm -q
bits-back-decode a.pgm.lpx -o b.png; echo "exit $?"
bits-back-decode a.pgm.lpx -o b.pgm --to png; echo "exit $?"
make-data digits -n 1 -o - -q | view-samples - --grid 1x1 -o own.png -q && bits-back-encode --fallback-only own.png -q
bits-back-decode own.png.lpx -o b.pgm; echo "exit $?"
bits-back-decode a.pgm.lpx -o b.pnm -q && cmp a.pgm b.pnm && bits-back-decode a.pgm.lpx -o b -q && cmp a.pgm b
bits-back-encode --fallback-only a.pgm -o a.zip; echo "exit $?"
bits-back-encode --fallback-only --suffix .zip a.pgm; echo "exit $?"
ls
