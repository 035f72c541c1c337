# Several files: one bad does not stop the others; with -o they share an archive, all or none.
. "$CLI_TESTS/bits-back-encode/setup"
printf 'words' > a
printf 'more words' > b
mkdir folder
printf 'old' > b.lpx
expect 1 "${fallback[@]}" a missing folder b
says "missing: no such file"
says "folder: is a folder"
says "b.lpx: exists"
[ "$(cat b.lpx)" = old ] || die "an existing output was touched"
[ -e a.lpx ] || die "a.lpx is missing"
rm a.lpx b.lpx
expect 1 "${fallback[@]}" a missing b -o all.lpx
absent all.lpx
expect 0 "${fallback[@]}" a b -o all.lpx
mkdir dir
expect 0 bits-back-decode -q --restore-name all.lpx --output-dir dir
cmp a dir/a && cmp b dir/b || die "differs"
expect 0 bits-back-decode all.lpx -o joined
says "its 2 members are joined"
cat a b | cmp - joined || die "not joined"
cat all.lpx all.lpx > twice.lpx
expect 0 bits-back-decode -q twice.lpx -o twice
cat a b a b | cmp - twice || die "concatenated archives are not joined"
expect 0 "${fallback[@]}" a b --output-dir dir --suffix .z
expect 0 bits-back-decode -q dir/a.z --suffix .z --force
cmp a dir/a || die "differs"
# Names that have the suffix already.
expect 0 bits-back-encode --fallback-only all.lpx
says "all.lpx: already ends with .lpx, skipped"
absent all.lpx.lpx
expect 0 "${fallback[@]}" --force all.lpx
[ -e all.lpx.lpx ] || die "--force does not code it"
no_leftovers
