# At a terminal an answer tool prints a table as wide as COLUMNS; --json, a pipe and a file get the report.
. "$CLI_TESTS/common/setup"
[ "$("$TOOL" --generate describe | jq -r .kind)" = answer ] || skip "makes a file, its report is asked for"
. "$CLI_TESTS/terminal"
at_terminal() {  # COLUMNS, further words; what the terminal shows goes to ./shown
  local columns=$1
  shift
  printf '%q ' "$TOOL" "${ARGS[@]}" -q "$@" > command
  COLUMNS=$columns script -qec "bash command" /dev/null < /dev/null | tr -d '\r' > shown
}
at_terminal 60
[ -s shown ] || die "nothing was printed"
! grep -q '[{}"]' shown || die "JSON at a terminal: $(head -n 3 shown)"
! LC_ALL=C.UTF-8 grep -qE '.{61}' shown || die "lines over 60 columns"
[ "$(wc -l < shown)" -le 60 ] || die "$(wc -l < shown) lines are not compact"
at_terminal 60 --json
[ "$(jq -r .schema shown)" = logpx.report/1 ] || die "--json printed no report"
[ "$("$TOOL" "${ARGS[@]}" -q | jq -r .schema)" = logpx.report/1 ] || die "a pipe got no report"
"$TOOL" "${ARGS[@]}" -q > file
[ "$(jq -r .schema file)" = logpx.report/1 ] || die "a file got no report"
