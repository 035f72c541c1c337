# A maker without -o is a usage error that says what -o is.
. "$CLI_TESTS/common/setup"
[ -n "$OUTPUT" ] && [ -z "${OUTPUT_OPTIONAL-}" ] || skip "-o is not required"
expect 2 "$TOOL" "${ARGS[@]}"
stderr_has "missing --output"
