# "-" reads stdin, from a file, a pipe, or a process substitution alike.
. "$CLI_TESTS/common/setup"
[ -n "$INPUT" ] && [ -z "${NO_STDIN-}" ] || skip "reads no file"
expect 0 "$TOOL" "${ARGS[@]}" "${OUTPUT_ARGS[@]}"
# What decides the content: all of it but the provenance of an artifact, which names the input.
content() {
  if [ -z "$OUTPUT" ]; then sed -n '/^  "result"/,$p' out
  elif head -c 4 "$OUTPUT" | grep -q HDF; then inspect "$OUTPUT" --hash -q
  else grep -av -e 'desc>' -e '<title>' -e 'set label' "$OUTPUT" | grep -av "$INPUT" | cksum; fi
}
clear() { [ -z "$OUTPUT" ] || rm -f "$OUTPUT" "${OUTPUT%.*}".{ckpt.h5,history.jsonl}; }
content > want
[ -s want ] || die "no content to compare"
clear
for way in pipe file; do
  if [ $way = pipe ]; then
    cat "$INPUT" | "$TOOL" "${ARGS[@]/#$INPUT/-}" "${OUTPUT_ARGS[@]}" > out 2> err || { cat err; die "$way"; }
  else
    "$TOOL" "${ARGS[@]/#$INPUT/-}" "${OUTPUT_ARGS[@]}" > out 2> err < "$INPUT" || { cat err; die "$way"; }
  fi
  content > got
  [ -n "${NAMES_INPUT-}" ] || cmp -s got want || { diff got want | head -n 5; die "a $way gives other content"; }
  clear
done
no_leftovers
