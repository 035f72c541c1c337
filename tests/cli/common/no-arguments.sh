# No arguments at all: three lines on stderr, exit 2.
. "$CLI_TESTS/common/setup"
[ -z "${FILTERS_STDIN-}" ] || skip "reads stdin then"
expect 2 "$TOOL"
[ ! -s out ] || die "talks on stdout"
[ "$(wc -l < err)" = 3 ] || die "not three lines"
stderr_has "try '$TOOL --help'"
