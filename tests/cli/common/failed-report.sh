# A report that cannot be written: exit 1, and no output stays behind.
. "$CLI_TESTS/common/setup"
[ -w /dev/full ] || skip "no /dev/full"
expect 1 "$TOOL" "${ARGS[@]}" "${OUTPUT_ARGS[@]}" --report /dev/full
stderr_has "no space left on device"
[ -z "$OUTPUT" ] || [ ! -e "$OUTPUT" ] || die "an output stays behind"
no_leftovers
