# A file that cannot be opened is exit 1 and said by name.
. "$CLI_TESTS/common/setup"
[ -n "$INPUT" ] || skip "reads no file"
expect 1 "$TOOL" "${ARGS[@]/#$INPUT/nowhere/$INPUT}" "${OUTPUT_ARGS[@]}"
stderr_has "nowhere/$INPUT: no such file"
[ -z "$OUTPUT" ] || [ ! -e "$OUTPUT" ] || die "an output was made"
no_leftovers
