# -o - carries the same bytes as the file; a closed pipe is an error for a payload; devices stay devices;
# closed streams harm no file.
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
echo kept > appended
"$TOOL" "${ARGS[@]}" -o /dev/stdout >> appended 2> err < /dev/null || die "-o /dev/stdout fails"
{ echo kept; cat "$OUTPUT"; } | cmp -s - appended || die "-o /dev/stdout >> FILE is not appended"
(exec >&- && exec "$TOOL" "${ARGS[@]}" -o - 2> err < /dev/null)
[ $? = 1 ] || die "a closed stdout is not exit 1"
(exec 2>&- && exec "$TOOL" "${ARGS[@]}" -v -o "silent-$OUTPUT" < /dev/null)
cmp -s "silent-$OUTPUT" "$OUTPUT" || die "without stderr the output differs"
no_leftovers
