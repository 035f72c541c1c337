# An existing output stays as it is without --force, and is replaced whole with it.
. "$CLI_TESTS/common/setup"
[ -n "$OUTPUT" ] || skip "makes no file"
echo precious > "$OUTPUT"
expect 5 "$TOOL" "${ARGS[@]}" "${OUTPUT_ARGS[@]}"
stderr_has "$OUTPUT: exists"
[ "$(cat "$OUTPUT")" = precious ] || die "the file was touched"
expect 0 "$TOOL" "${ARGS[@]}" "${OUTPUT_ARGS[@]}" --force
[ "$(head -c 8 "$OUTPUT")" != precious ] || die "--force did not replace"
echo precious > report.json
expect 5 "$TOOL" "${ARGS[@]}" "${OUTPUT_ARGS[@]/$OUTPUT/another-$OUTPUT}" --report report.json
[ ! -e "another-$OUTPUT" ] || die "work was done before the refusal"
expect 2 "$TOOL" "${ARGS[@]}" -o both --report "$PWD/./both" --force
stderr_has "both: is named for two outputs"
[ ! -e both ] || die "two outputs were written to one file"
no_leftovers
