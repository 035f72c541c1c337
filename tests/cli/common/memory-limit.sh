# Under a limit of memory (ulimit -v) a tool does the same work, or says in one line that memory is out: exit 1.
. "$CLI_TESTS/common/setup"
[ -z "${ASAN_OPTIONS-}" ] || skip "the sanitizers themselves take more"
limited() { (ulimit -v $((limit * 1000)); exec timeout -s KILL 100 "$TOOL" "$@" > out 2> err < /dev/null); }
expect 0 "$TOOL" "${ARGS[@]}" "${OUTPUT_ARGS[@]}" --force -q -j 2
cp "${OUTPUT:-out}" whole
for limit in ${MEMORY_LIMITS:-200 300 340 400}; do
  limited --version || die "--version fails in $limit MB"
  status=0
  limited "${ARGS[@]}" "${OUTPUT_ARGS[@]}" --force -q -j 2 || status=$?
  if [ $status = 0 ]; then
    cmp "${OUTPUT:-out}" whole || die "another result in $limit MB"
    continue
  fi
  [ $status = 1 ] || { cat err; die "exit $status in $limit MB"; }
  [ "$(grep -c . err)" = 1 ] || { cat err; die "not one line in $limit MB"; }
  stderr_has "out of memory"
done
