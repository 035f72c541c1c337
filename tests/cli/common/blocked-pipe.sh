# Waiting for the other end of a pipe ends with a signal: exit 143, as anywhere else.
. "$CLI_TESTS/common/setup"
[ -n "$OUTPUT" ] || skip "makes no file"
mkfifo nobody
"$TOOL" "${ARGS[@]}" -o nobody > out 2> err < /dev/null &
pid=$!
until_it stands_still $pid
kill -s TERM $pid || die "it was over before the signal"
status=0
wait $pid || status=$?
[ $status = 143 ] || { cat err; die "exit $status after SIGTERM"; }
no_leftovers
