# Archives of format versions 2.1 to 2.3 decode for ever: what the adaptive coder took for text saw no brackets in
# 2.1 and kept no runs in any of them, and colours had no forecast in 2.1 and 2.2.
. "$CLI_TESTS/bits-back-encode/setup"
mkdir plain
grep '^plain/' "$REPO/tests/archives/1.0/members" > members
for version in 2.1 2.2 2.3; do
  for effort in normal best; do
    archive=$REPO/tests/archives/$version/$effort.lpx
    expect 0 bits-back-decode -q "$archive" --output-dir . --force
    while read -r file mode time hash; do
      [ "$(stat -c '%a %.9Y' "$file")" = "$mode $time" ] || die "$file: its mode or time differs"
      [ "$(sha256sum < "$file")" = "$hash  -" ] || die "$file: its content differs"
    done < members
    [ "$(find plain -type f | wc -l)" = "$(wc -l < members)" ] || die "there are other members"
    bits-back-decode --list -v "$archive" > list 2> err
    grep -q "version $version, effort $effort" list || die "its version is another"
    grep -q 'adaptive 1 block of 310' list || die "its text is not coded by the adaptive coder"
  done
done
no_leftovers
