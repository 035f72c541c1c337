# Archives of format version 2.2 decode for ever: what the adaptive coder took for text saw no brackets.
. "$CLI_TESTS/bits-back-encode/setup"
mkdir plain
for effort in normal best; do
  archive=$REPO/tests/archives/2.2/$effort.lpx
  expect 0 bits-back-decode -q "$archive" --output-dir . --force
  grep '^plain/' "$REPO/tests/archives/1.0/members" > members
  while read -r file mode time hash; do
    [ "$(stat -c '%a %.9Y' "$file")" = "$mode $time" ] || die "$file: its mode or time differs"
    [ "$(sha256sum < "$file")" = "$hash  -" ] || die "$file: its content differs"
  done < members
  [ "$(find plain -type f | wc -l)" = "$(wc -l < members)" ] || die "there are other members"
  bits-back-decode --list -v "$archive" > list 2> err
  grep -q "version 2.2, effort $effort" list || die "its version is another"
  grep -q 'adaptive 1 block of 310' list || die "its text is not coded by the adaptive coder"
done
no_leftovers
