# A disk that fills up: exit 1, nothing left behind, an existing file untouched.
. "$CLI_TESTS/common/setup"
[ -n "$OUTPUT" ] || skip "makes no file"
echo precious > "$OUTPUT"
(ulimit -f 0; "$TOOL" "${ARGS[@]}" "${OUTPUT_ARGS[@]}" --force 2>&1 < /dev/null) | cat > message
(ulimit -f 0; "$TOOL" "${ARGS[@]}" "${OUTPUT_ARGS[@]}" --force > /dev/null 2>&1 < /dev/null)
[ $? = 1 ] || die "exit is not 1"
grep -q 'file too large' message || { cat message; die "does not say why"; }
[ "$(cat "$OUTPUT")" = precious ] || die "the old file was touched"
no_leftovers
