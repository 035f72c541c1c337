# What a killed run left is removed by the next one; that of a living process stays.
. "$CLI_TESTS/common/setup"
[ -n "$OUTPUT" ] || skip "makes no file"
dead=.$OUTPUT.tmp.0123456789abcdef living=.$OUTPUT.tmp.fedcba9876543210
touch "$dead" "$living"
exec 9< "$living"
flock 9
expect 0 "$TOOL" "${ARGS[@]}" "${OUTPUT_ARGS[@]}"
[ ! -e "$dead" ] || die "the dead temporary is still there"
[ -e "$living" ] || die "a living process lost its temporary"
