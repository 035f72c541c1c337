# A file of another kind is exit 3 and no output.
. "$CLI_TESTS/common/setup"
[ -n "${WRONG_KIND+set}" ] || skip "takes any file"
expect 3 "$TOOL" "${WRONG_KIND[@]}" "${OUTPUT_ARGS[@]}"
[ -z "$OUTPUT" ] || [ ! -e "$OUTPUT" ] || die "an output was made"
no_leftovers
