# --dry-run checks everything, writes nothing, and is silent on stdout.
. "$CLI_TESTS/common/setup"
expect 0 "$TOOL" "${ARGS[@]}" "${OUTPUT_ARGS[@]}" --dry-run --report report.json
[ ! -s out ] || die "talks on stdout"
[ -z "$OUTPUT" ] || [ ! -e "$OUTPUT" ] || die "an output was made"
[ ! -e report.json ] || die "a report was made"
if [ -n "$INPUT" ]; then expect 1 "$TOOL" "${ARGS[@]/#$INPUT/nowhere}" "${OUTPUT_ARGS[@]}" --dry-run; fi
no_leftovers
