# Archives of every version since 2.4 decode for ever: a prime inside, times and modes; each says the version that it has,
# and logpx-archive(5) names all of them and the one that is written. What else is in them the unit tests decode.
. "$CLI_TESTS/bits-back-encode/setup"
listed() { bits-back-decode --list -v "$1" 2> err | sed -n 's/^  version \([0-9.]*\),.*/\1/p' | sort -u; }
page=$(tr '\n' ' ' < "$REPO/man/logpx-archive.5")
for folder in "$REPO"/tests/archives/[0-9]*; do
  version=${folder##*/}
  [[ $page = *"$version"* ]] || die "the manual does not name version $version"
  while read -r hash name; do
    case $name in
      fast | text-* | primed-*)
        bits-back-decode -q "$folder/$name.lpx" -o - | sha256sum | grep -qx "$hash  -" || die "$folder/$name.lpx differs" ;;
    esac
    says=$(listed "$folder/$name.lpx")
    [ "$says" = "$version" ] || [ "$version $name $says" = '2.4 fast 2.1' ] || die "$folder/$name.lpx: says version $says"
  done < "$folder/sha256"
  [ "$(find "$folder" -name '*.lpx' | wc -l)" = "$(wc -l < "$folder/sha256")" ] || die "$folder: there are other archives"
  expect 0 bits-back-decode -q "$folder/tree.lpx" --output-dir . --force
  while read -r mode time name; do
    [ "$(stat -c '%a %.9Y' "$name")" = "$mode $time" ] || die "$name: its mode or time differs"
  done < "$folder/members"
done
echo words > words
for effort in fast normal; do
  "${fallback[@]}" --effort $effort words -o $effort.lpx
  [[ $page = *"This is version $(listed $effort.lpx)."* ]] || die "the manual names another version"
done
# An archive of today may follow one of then; what is older than 2.4 is told apart.
cat "$REPO/tests/archives/2.4/text-best.lpx" normal.lpx > both.lpx
expect 0 bits-back-decode -q both.lpx -o both
{ bits-back-decode -q "$REPO/tests/archives/2.4/text-best.lpx" -o -; cat words; } | cmp - both || die "two versions in one file: differs"
for version in '\1\0\0\0' '\2\0\3\0'; do
  { head -c 8 normal.lpx; printf "$version"; tail -c +13 normal.lpx; } > old.lpx
  expect 3 bits-back-decode old.lpx -o new
  says "made by a version of logpx before 0.1.0"
done
no_leftovers
