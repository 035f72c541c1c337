# "-" reads stdin, from a file, a pipe, or a process substitution alike.
. "$CLI_TESTS/common/setup"
[ -n "$INPUT" ] && [ -z "${NO_STDIN-}" ] || skip "reads no file"
expect 0 "$TOOL" "${ARGS[@]}" "${OUTPUT_ARGS[@]}"
[ -n "$OUTPUT" ] && mv "$OUTPUT" want || mv out want
for way in pipe file; do
  if [ $way = pipe ]; then
    cat "$INPUT" | "$TOOL" "${ARGS[@]/#$INPUT/-}" "${OUTPUT_ARGS[@]}" > out 2> err || { cat err; die "$way"; }
  else
    "$TOOL" "${ARGS[@]/#$INPUT/-}" "${OUTPUT_ARGS[@]}" > out 2> err < "$INPUT" || { cat err; die "$way"; }
  fi
  [ -z "$OUTPUT" ] || [ -s "$OUTPUT" ] || die "no output from a $way"
  [ -z "$OUTPUT" ] || rm -f "$OUTPUT"
done
no_leftovers
