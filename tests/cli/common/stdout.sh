# -o - carries the same bytes as the file; a closed pipe is an error for a payload; devices stay devices.
. "$CLI_TESTS/common/setup"
[ -n "$OUTPUT" ] || skip "makes no file"
expect 0 "$TOOL" "${ARGS[@]}" "${OUTPUT_ARGS[@]}"
expect 0 "$TOOL" "${ARGS[@]}" -o -
cmp -s out "$OUTPUT" || die "-o - differs from the file"
expect 0 "$TOOL" "${ARGS[@]}" -o /dev/null
[ -c /dev/null ] || die "/dev/null was replaced"
expect 2 "$TOOL" "${ARGS[@]}" -o - --json
mkfifo pipe
cat pipe > from-pipe &
expect 0 "$TOOL" "${ARGS[@]}" -o pipe
wait
cmp -s from-pipe "$OUTPUT" || die "a pipe got other bytes"
[ -p pipe ] || die "the pipe was replaced"
no_leftovers
