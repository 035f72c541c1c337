# A suffix is a promise: a name that says another format is refused before any work, by every output.
. "$CLI_TESTS/common/setup"
expect 0 "$TOOL" --generate describe
jq -r '.options[] | select(.output and (.formats | not)) | .name' out > any
[ ! -s any ] || [ "$TOOL" = bits-back-decode ] || die "$(cat any) does not say what it writes"
jq -r '.options[] | select(.formats) | .name' out > names
[ -s names ] || die "no output says what it writes"
while read -r name; do
  main=("${OUTPUT_ARGS[@]}")
  [ "$name" != --output ] || main=()
  for wrong in wrong.zip wrong.XLSX; do
    expect 2 "$TOOL" "${ARGS[@]}" "${main[@]}" "$name" "$wrong"
    stderr_has "$wrong: the name says "
    stderr_has ", but this output is "
    stderr_has "hint: name it wrong."
    [ ! -e "$wrong" ] || die "$name $wrong was written"
    [ -z "$OUTPUT" ] || [ ! -e "$OUTPUT" ] || die "$name $wrong was refused after the work"
  done
done < names
no_leftovers
