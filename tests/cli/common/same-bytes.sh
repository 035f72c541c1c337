# Same seed, same bytes, whatever the number of threads.
. "$CLI_TESTS/common/setup"
for threads in 1 2 4; do
  expect 0 "$TOOL" "${ARGS[@]}" "${OUTPUT_ARGS[@]}" --threads $threads --seed 3 --force --report report.json --quiet
  if [ -n "$OUTPUT" ]; then cp "$OUTPUT" "result.$threads"; else cp out "result.$threads"; fi
  cp report.json "report.$threads"
  rm report.json
  cmp "result.1" "result.$threads" || die "$threads threads give other bytes"
  cmp "report.1" "report.$threads" || die "$threads threads give another report"
done
