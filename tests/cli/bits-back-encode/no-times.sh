# --no-times leaves time and mode out: the same content gives the same archive, whenever it was written.
. "$CLI_TESTS/bits-back-encode/setup"
printf 'words' > a
touch -d '2001-02-03' a
expect 0 "${fallback[@]}" a --no-times -o x.lpx
chmod 600 a
touch -d '2011-12-13' a
expect 0 "${fallback[@]}" a --no-times -o y.lpx
cmp x.lpx y.lpx || die "time or mode is in the archive"
expect 0 "${fallback[@]}" a -o z.lpx
! cmp -s x.lpx z.lpx || die "nothing was left out"
expect 0 bits-back-decode -q x.lpx -o b
[ "$(stat -c %Y b)" -gt 1400000000 ] || die "a time came from nowhere"
no_leftovers
