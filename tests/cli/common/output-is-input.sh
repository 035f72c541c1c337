# An input is never replaced, not even with --force, not through a link.
. "$CLI_TESTS/common/setup"
[ -n "$INPUT" ] && [ -n "$OUTPUT" ] || skip "reads or writes no file"
cp "$INPUT" before
expect 5 "$TOOL" "${ARGS[@]}" -o "$INPUT" --force
cmp -s "$INPUT" before || die "the input was changed"
ln -s "$INPUT" link
expect 5 "$TOOL" "${ARGS[@]}" -o link --force
ln "$INPUT" hard
expect 5 "$TOOL" "${ARGS[@]}" -o hard --force
cmp -s "$INPUT" before || die "the input was changed"
expect 5 "$TOOL" "${ARGS[@]}" "${OUTPUT_ARGS[@]}" --report "$INPUT" --force
cmp -s "$INPUT" before || die "the input was changed"
no_leftovers
