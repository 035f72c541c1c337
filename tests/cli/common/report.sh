# The report is valid, goes where it was asked for, and can be fed back as --config.
. "$CLI_TESTS/common/setup"
expect 0 "$TOOL" "${ARGS[@]}" "${OUTPUT_ARGS[@]}" --report report.json --quiet
[ ! -s err ] || { cat err; die "--quiet talks"; }
validate-json "$REPO/scripts/schema/report.json" report.json || die "the report breaks its schema"
[ -z "$OUTPUT" ] || [ ! -s out ] || die "a maker prints without --json"
expect 0 "$TOOL" "${ARGS[@]}" "${OUTPUT_ARGS[@]}" --force --json --quiet
validate-json "$REPO/scripts/schema/report.json" out || die "the report on stdout breaks its schema"
cmp -s out report.json || die "--json and --report differ"
expect 0 "$TOOL" "${ARGS[@]}" --config report.json --print-config
if [ -n "$OUTPUT" ] && head -c 4 "$OUTPUT" | grep -q HDF; then
  expect 0 "$TOOL" "${ARGS[@]}" --config "$OUTPUT" --print-config
fi
