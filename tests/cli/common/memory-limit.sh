# Under a limit of memory (ulimit -v) a tool does its work, or says in one line that memory is out: exit 1.
. "$CLI_TESTS/common/setup"
[ -z "${ASAN_OPTIONS-}" ] || skip "the sanitizers themselves take more"
limited() { (ulimit -v $((limit * 1000)); exec timeout -s KILL 100 "$TOOL" "$@" > out 2> err < /dev/null); }
for limit in ${MEMORY_LIMITS:-200 300 340 400}; do
  limited --version || die "--version fails in $limit MB"
  status=0
  limited "${ARGS[@]}" "${OUTPUT_ARGS[@]}" --force -q -j 2 || status=$?
  [ $status != 0 ] || continue
  [ $status = 1 ] || { cat err; die "exit $status in $limit MB"; }
  [ "$(grep -c . err)" = 1 ] || { cat err; die "not one line in $limit MB"; }
  stderr_has "out of memory"
done
