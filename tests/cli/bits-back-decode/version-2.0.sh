# Archives of format version 2.0 decode for ever: members that share blocks, times, modes.
. "$CLI_TESTS/bits-back-encode/setup"
mkdir plain
expect 0 bits-back-decode -q "$REPO/tests/archives/2.0/plain.lpx" --output-dir .
grep '^plain/' "$REPO/tests/archives/1.0/members" > members
while read -r file mode time hash; do
  [ "$(stat -c '%a %.9Y' "$file")" = "$mode $time" ] || die "$file: its mode or time differs"
  [ "$(sha256sum < "$file")" = "$hash  -" ] || die "$file: its content differs"
done < members
[ "$(find plain -type f | wc -l)" = "$(wc -l < members)" ] || die "there are other members"
bits-back-decode --list -v "$REPO/tests/archives/2.0/plain.lpx" 2> err | grep -q 'version 2.0, effort fast' || die "its version is another"
no_leftovers
