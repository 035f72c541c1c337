# Windows in step, and carried over from one to the next: the archive says how, and any number of
# threads gives and reads the same bytes.
. "$CLI_TESTS/bits-back-encode/setup"
fixture make letters.h5 letters || exit 77
awk 'BEGIN {
  srand(2)
  letters = "abcdefghijklmnopqrstuvwxyz "
  for (i = 0; i < 9001; i++)
    printf "%s", i % 2 ? substr("aeiou", 1 + int(5 * rand()), 1) : substr(letters, 1 + int(27 * rand()), 1)
}' > words
code() {  # NAME OPTIONS...
  local name=$1
  shift
  expect 0 fixture encode --effort fast letters.h5 words -o "$name.lpx" --force --block-items 50 -j 1 --report "$name.json" "$@"
  expect 0 fixture encode --effort fast letters.h5 words -o "$name-4.lpx" --force --block-items 50 -j 4 "$@"
  cmp "$name.lpx" "$name-4.lpx" || die "four threads make another archive with $*"
  for threads in 1 4; do
    expect 0 fixture decode letters.h5 "$name.lpx" -o back --force -j $threads
    cmp words back || die "another text comes back with $*"
  done
}
for width in 1 2 64 256; do
  code "w$width" --interleave $width
  code "c$width" --interleave $width --carry
done
code plain
cmp plain.lpx w64.lpx || die "64 windows go in step unless the user says otherwise"
! cmp -s w1.lpx w2.lpx || die "--interleave changes nothing"
bits-back-decode --list -v c2.lpx 2>&1 | grep -q '"settings":{"carry":"true","interleave":"2"}' ||
  die "the archive does not say how its windows were coded"
size() { wc -c < "$1.lpx"; }
[ "$(size c1)" -lt "$(size w1)" ] || die "carrying on does not pay for windows of 40 letters"
for wrong in 0 257 x; do expect 2 fixture encode letters.h5 words -o no.lpx --interleave $wrong; done
absent no.lpx
no_leftovers
