# Archives of format version 1.0 decode for ever: every kind of member, embedded models, times, modes, a stream.
. "$CLI_TESTS/bits-back-encode/setup"
stored=$REPO/tests/archives/1.0
for archive in plain pixels stored png grey bits; do
  mkdir $archive
  expect 0 bits-back-decode -q --restore-name --trust-embedded-model "$stored/$archive.lpx" --output-dir $archive
  expect 0 bits-back-decode -q --test --trust-embedded-model "$stored/$archive.lpx"
done
while read -r file mode time hash; do
  [ "$(stat -c '%a %.9Y' "$file")" = "$mode $time" ] || die "$file: its mode or time differs"
  [ "$(sha256sum < "$file")" = "$hash  -" ] || die "$file: its content differs"
done < "$stored/members"
[ "$(find . -type f -path './*/*' | wc -l)" = "$(wc -l < "$stored/members")" ] || die "there are other members"
bits-back-decode -q < "$stored/stdin.lpx" | cmp - stored/text.txt || die "the archive of a stream differs"
cp "$stored/grey.lpx" .
bits-back-decode --list grey.lpx
# An archive of today may follow one of then.
"${fallback[@]}" stored/text.txt -o new.lpx
cat "$stored/stdin.lpx" new.lpx > both.lpx
expect 0 bits-back-decode -q both.lpx -o both
cat stored/text.txt stored/text.txt | cmp - both || die "two versions in one file: differs"
no_leftovers
