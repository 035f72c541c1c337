# Each name is given to one output: two inputs never share one, and the report takes none.
. "$CLI_TESTS/bits-back-encode/setup"
mkdir x y packed
printf 'words' > x/a
printf 'other' > y/a
expect 5 "${fallback[@]}" x/a x/./a --output-dir packed --force --rm
says "packed/x/a.lpx: is the output of two inputs"
absent x/a
expect 0 bits-back-decode -q packed/x/a.lpx
[ "$(cat packed/x/a)" = words ] || die "the first archive was replaced"
expect 0 "${fallback[@]}" --rm y/a
mkdir z
printf 'words' > z/a
expect 0 "${fallback[@]}" --rm z/a
mv z/a.lpx z/first.lpx
expect 5 bits-back-decode -q z/first.lpx y/a.lpx --output-dir x --force --rm
says "x/a: is the output of two inputs"
absent z/first.lpx
[ -e y/a.lpx ] && [ "$(cat x/a)" = words ] || die "a decoded file was replaced"
expect 5 bits-back-decode -q packed/x/a.lpx y/a.lpx --output-dir x --force --restore-name
says "x/a: is the output of two inputs"
cp y/a.lpx z/second.lpx
expect 5 bits-back-decode -q z/second.lpx y/a.lpx --output-dir x --force --dry-run
# The report, by another spelling and through a link.
printf 'words' > a
ln -s kept link
for report in kept packed/../kept link; do
  expect 2 "${fallback[@]}" a -o kept --report $report --force --rm
  says "is named for two outputs"
  [ "$(cat a)" = words ] || die "the input is gone"
  absent kept
done
expect 0 "${fallback[@]}" --rm a
for words in '' --restore-name; do
  # shellcheck disable=SC2086
  expect 2 bits-back-decode -q a.lpx --report a --force --rm $words
  says "--report: is also the output a"
  absent a
done
expect 0 bits-back-decode -q a.lpx
[ "$(cat a)" = words ] || die "the archive was replaced"
no_leftovers
