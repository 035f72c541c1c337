# Outputs with names of up to 255 bytes; longer ones are refused before any work.
. "$CLI_TESTS/common/setup"
[ -n "$OUTPUT" ] || skip "makes no file"
suffix=.${OUTPUT##*.}
for length in 243 255; do
  name=$(head -c $((length - ${#suffix})) /dev/zero | tr '\0' n)$suffix
  expect 0 "$TOOL" "${ARGS[@]}" -o "$name"
  [ -s "$name" ] || die "no output of $length bytes"
  rm -f n*
done
expect 1 "$TOOL" "${ARGS[@]}" -o "n$name"
stderr_has "name too long"
no_leftovers
