# Streams: stdin to stdout, no terminal, a closed pipe and a full disk are exit 1.
. "$CLI_TESTS/bits-back-encode/setup"
head -c 3000000 /dev/urandom > random
"${fallback[@]}" < random > a.lpx || die "stdin to stdout fails"
bits-back-decode -q < a.lpx | cmp - random || die "differs"
"${fallback[@]}" - < random | bits-back-decode -q - | cmp - random || die "- differs"
(set +e; "${fallback[@]}" < random; echo $? > status) 2> err | head -c 1000 > /dev/null
[ "$(cat status)" = 1 ] || die "a closed pipe is exit $(cat status)"
(set +e; bits-back-decode -q < a.lpx; echo $? > status) 2> err | head -c 1000 > /dev/null
[ "$(cat status)" = 1 ] || die "decoding into a closed pipe is exit $(cat status)"
"${fallback[@]}" < random > /dev/full 2> err
[ $? = 1 ] || die "a full disk is not exit 1"
if command -v script > /dev/null; then
  script -qec "bits-back-encode --fallback-only random -o -" /dev/null > terminal < /dev/null
  [ $? = 5 ] || die "an archive on a terminal is not refused"
  grep -q "is a terminal" terminal || die "does not say why"
  script -qec "bits-back-decode" /dev/null > terminal < /dev/null
  [ $? = 2 ] || die "bits-back-decode alone on a terminal is not usage"
fi
expect 2 "${fallback[@]}" - -
expect 2 bits-back-encode
no_leftovers
