# Streams: stdin to stdout; a closed pipe and a full disk are exit 1.
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
expect 2 "${fallback[@]}" - -
no_leftovers
