# A DEFLATE stream whose content is longer than a run goes on in the next one, and comes back.
. "$CLI_TESTS/bits-back-encode/setup"
head -c 17000000 /dev/urandom > noise # takes no time, since it is stored
gzip -n -1 noise
expect 0 "${fallback[@]}" noise.gz -q
expect 0 bits-back-decode --list -v noise.gz.lpx
grep -q 'DEFLATE like zlib' out || die "the stream is not undone"
blocks=$(grep -o 'stored [0-9]* blocks' out | tr -dc 0-9)
[ "${blocks:-0}" -gt 1 ] || die "its content is not in two runs"
expect 0 bits-back-decode -q noise.gz.lpx -o back
cmp noise.gz back || die "it differs"
# Cut within the second run, the archive is an error of data.
head -c 16900000 noise.gz.lpx > cut.lpx
expect 3 bits-back-decode -q cut.lpx -o cut
no_leftovers
