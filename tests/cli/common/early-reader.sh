# A reader that leaves early is no failure for text.
. "$CLI_TESTS/common/setup"
set -o pipefail
"$TOOL" --help 2> err | head -n 1 > first || die "help into head fails"
"$TOOL" --generate describe 2> err | head -n 1 > first || die "text into head fails"
[ ! -s err ] || { cat err; die "complains about a closed pipe"; }
