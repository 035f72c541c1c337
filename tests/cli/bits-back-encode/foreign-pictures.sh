# Many PNGs of another program are one line; --memory bounds what a picture may take.
. "$CLI_TESTS/bits-back-encode/setup"
make-data digits -n 30 --size 14 -o digits.h5 -q
view-samples digits.h5 -o own.png --scale 1 -q
mkdir many
for i in $(seq 40); do
  { head -c 33 own.png; printf '\0\0\0\4gAMA\0\0\261\217\013\374a\005'; tail -c +34 own.png; } > many/$i.png
done
expect 0 bits-back-encode --fallback-only --keep-deflate many -o many.lpx
says "40 PNG files: their pixels do not tell how they were written, so they are coded as bytes"
[ "$(grep -c 'do not tell' err)" = 1 ] || die "said more than once"
fixture make grey.h5 grey8 || exit 77
expect 0 fixture encode grey.h5 many/1.png -o one.lpx
[ "$(grep -c 'do not tell' err)" = 1 ] || die "said twice of one file"
# A picture of many pixels in a small file.
{ printf 'P5 250 250 255\n'; head -c 62500 /dev/zero; } > large.pgm
expect 0 fixture encode grey.h5 large.pgm --effort fast
expect 0 fixture encode grey.h5 large.pgm -o bytes.lpx --memory 128Ki --effort fast
says "large.pgm: its pixels take more memory than 128 KiB (--memory), so it is coded as bytes"
bits-back-decode --list bytes.lpx | grep -q ' bytes ' || die "not coded as bytes"
# Tiles wait for the whole raster when it is decoded, too.
expect 0 fixture encode grey.h5 large.pgm own.png -o tiles.lpx --effort fast
expect 5 fixture decode grey.h5 tiles.lpx -o large.again --memory 128Ki
says "its pixels take 183.1 KiB, more than 128 KiB"
absent large.again
expect 0 fixture decode grey.h5 tiles.lpx --member large.pgm -o large.again
cmp large.pgm large.again || die "differs"
no_leftovers
