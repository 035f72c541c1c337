# What a killed run left is removed by the next one; that of a living process stays.
. "$CLI_TESTS/common/setup"
[ -n "$OUTPUT" ] || skip "makes no file"
sh -c 'exit 0' &
dead=$!
wait $dead
touch ".$OUTPUT.tmp.$dead" ".$OUTPUT.tmp.$$"
expect 0 "$TOOL" "${ARGS[@]}" "${OUTPUT_ARGS[@]}"
[ ! -e ".$OUTPUT.tmp.$dead" ] || die "the dead temporary is still there"
[ -e ".$OUTPUT.tmp.$$" ] || die "a living process lost its temporary"
