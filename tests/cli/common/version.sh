# --version: version, commit, compiler, libraries, on stdout.
. "$CLI_TESTS/common/setup"
expect 0 "$TOOL" --version
[ ! -s err ] || die "version talks on stderr"
grep -qE "^$TOOL \(logpx\) [0-9]+\.[0-9]+\.[0-9]+$" out || die "no version"
grep -q '^commit ' out || die "no commit"
grep -q '^hdf5 ' out || die "no libraries"
