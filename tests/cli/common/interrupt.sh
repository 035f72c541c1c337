# SIGTERM while waiting or working: exit 143; SIGINT: 130; SIGHUP: 129; nothing left behind.
# Signals that were ignored at the start, as by nohup, stay ignored.
# untraced: a signal that is ignored stops a traced thread, and the next one goes to another thread.
. "$CLI_TESTS/common/setup"
if [ -n "${SLOW+set}" ]; then
  set -- "${SLOW[@]}" "${OUTPUT_ARGS[@]}"
elif [ -n "$INPUT" ] && [ -z "${NO_STDIN-}" ]; then
  mkfifo slow
  sleep 400 > slow &
  feeder=$!
  set -- "${ARGS[@]/#$INPUT/slow}" "${OUTPUT_ARGS[@]}"
else
  skip "nothing here takes long"
fi
until_ready() {
  if [ -p slow ]; then until_it waits_for "$1" slow; else until_it heeds_signals "$1"; fi
}
for signal in TERM:143 INT:130 HUP:129; do
  env --default-signal=INT,TERM,HUP "$TOOL" "$@" > out 2> err < /dev/null &
  pid=$!
  until_ready $pid
  kill -s "${signal%:*}" $pid || die "it was over before the signal"
  status=0
  wait $pid || status=$?
  [ $status = "${signal#*:}" ] || { cat err; die "exit $status after SIG${signal%:*}"; }
  stderr_has "interrupted"
  [ -z "$OUTPUT" ] || [ ! -e "$OUTPUT" ] || die "an output was made"
  no_leftovers
done
env --ignore-signal=HUP "$TOOL" "$@" > out 2> err < /dev/null &
pid=$!
until_ready $pid
mask_has $pid SigIgn HUP || die "SIGHUP is no longer ignored"
kill -s HUP $pid
kill -s TERM $pid || die "SIGHUP ended it although it was ignored"
status=0
wait $pid || status=$?
[ $status = 143 ] || { cat err; die "exit $status after an ignored SIGHUP and SIGTERM"; }
[ -z "${feeder-}" ] || kill $feeder
