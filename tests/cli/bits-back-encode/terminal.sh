# An archive is not written to a terminal, and both tools alone at one say how they are called.
. "$CLI_TESTS/terminal"
. "$CLI_TESTS/bits-back-encode/setup"
noise 3000 > random
script -qec "bits-back-encode --fallback-only random -o -" /dev/null > terminal < /dev/null
[ $? = 5 ] || die "an archive on a terminal is not refused"
grep -q "is a terminal" terminal || die "does not say why"
for tool in bits-back-encode bits-back-decode; do
  script -qec "$tool" /dev/null > terminal < /dev/null
  [ $? = 2 ] || die "$tool alone on a terminal is not usage"
done
