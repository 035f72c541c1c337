# --help: purpose first, examples, at most 100 columns and 40 lines, on stdout, exit 0; -h is the same.
. "$CLI_TESTS/common/setup"
expect 0 "$TOOL" --help
[ ! -s err ] || die "help talks on stderr"
[ "$(sed -n '1s/ - .*//p' out)" = "$TOOL" ] || die "help does not start with '$TOOL - '"
grep -q '^usage: ' out || die "no usage"
grep -q '^examples:' out || die "no examples"
[ "$(awk 'length($0) > 100' out | wc -l)" = 0 ] || die "lines over 100 columns"
[ "$(wc -l < out)" -le 40 ] || die "$(wc -l < out) lines of help, at most 40"
mv out long
expect 0 "$TOOL" -h
cmp -s out long || die "-h differs from --help"
