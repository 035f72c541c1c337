# An archive is not written to a terminal, and bits-back-decode alone at one says how it is called.
. "$CLI_TESTS/terminal"
. "$CLI_TESTS/bits-back-encode/setup"
head -c 3000 /dev/urandom > random
script -qec "bits-back-encode --fallback-only random -o -" /dev/null > terminal < /dev/null
[ $? = 5 ] || die "an archive on a terminal is not refused"
grep -q "is a terminal" terminal || die "does not say why"
script -qec "bits-back-decode" /dev/null > terminal < /dev/null
[ $? = 2 ] || die "bits-back-decode alone on a terminal is not usage"
