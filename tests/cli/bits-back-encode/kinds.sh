# What kinds of files are seen as what, and datasets by --dataset.
. "$CLI_TESTS/bits-back-encode/setup"
make-data digits -n 30 --size 14 -o digits.h5 -q
view-samples digits.h5 -o own.png --scale 2 -q
expect 0 "${fallback[@]}" own.png
expect 0 bits-back-decode --list own.png.lpx
grep -q 'own-png  own.png' out || die "our own PNG is not known"
cp own.png before.png
expect 0 bits-back-decode -q --force own.png.lpx
cmp own.png before.png || die "our own PNG differs"
# Pixels that take more than the file does are left in it.
expect 0 bits-back-encode --store own.png -o stored.lpx
[ "$(stat -c %s stored.lpx)" -le $(($(stat -c %s own.png) + 400)) ] || die "a stored PNG grew"
# The same pixels written by another program: one more chunk.
{ head -c 33 own.png; printf '\0\0\0\4gAMA\0\0\261\217\013\374a\005'; tail -c +34 own.png; } > foreign.png
expect 0 bits-back-encode --fallback-only --keep-deflate foreign.png
says "foreign.png: its pixels do not tell how it was written"
cp foreign.png before.png
expect 0 bits-back-decode -q --force foreign.png.lpx
cmp foreign.png before.png || die "a foreign PNG differs"
expect 0 "${fallback[@]}" --pixels foreign.png -o pixels.lpx
expect 0 bits-back-decode -q pixels.lpx --to pnm -o pixels.pnm
expect 0 bits-back-decode -q own.png.lpx --to pnm -o own.pnm
cmp pixels.pnm own.pnm || die "--pixels lost pixels"
# A dataset as the array that it is.
expect 0 "${fallback[@]}" --dataset digits.h5:test digits.h5
expect 0 bits-back-decode -q digits-test.idx.lpx
expect 0 pack-data idx digits-test.idx -o again.h5 -q
[ "$(head -c 4 digits-test.idx | od -An -tx1 | tr -d ' ')" = 00000803 ] || die "not IDX"
expect 0 bits-back-decode -q digits.idx.lpx --to npy -o digits.npy
[ "$(head -c 6 digits.npy | tail -c 5)" = NUMPY ] || die "not npy"
# Some of its rows.
expect 0 "${fallback[@]}" --dataset digits.h5 --rows 5:25 --limit 10 -o some.lpx
expect 0 bits-back-decode -q some.lpx -o some.idx
expect 0 bits-back-decode -q digits.idx.lpx -o all.idx
tail -c +17 some.idx | cmp - <(tail -c +$((17 + 5 * 196)) all.idx | head -c 1960) || die "not rows 5 to 14"
[ "$(head -c 8 some.idx | tail -c 1 | od -An -tu1 | tr -d ' ')" = 10 ] || die "not 10 rows"
expect 2 "${fallback[@]}" --limit 10 digits.h5
says "--limit: chooses rows of a dataset (--dataset)"
expect 2 bits-back-decode -q digits.idx.lpx --to pnm -o x
says "--to: a member of kind idx has no form pnm"
absent x
make-data shapes2d ring8 -n 60 -o ring.h5 -q
expect 3 "${fallback[@]}" --dataset ring.h5
says "--dataset codes u8"
no_leftovers
