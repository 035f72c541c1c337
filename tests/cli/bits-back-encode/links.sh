# Links: not followed without --force, never written through, never removed.
. "$CLI_TESTS/bits-back-encode/setup"
printf 'words' > file
ln -s file link
ln -s nowhere dangling.lpx
expect 5 "${fallback[@]}" link
says "link: is a symbolic link"
absent link.lpx
"${fallback[@]}" link -o - > stream.lpx || die "-o - does not follow"
expect 0 "${fallback[@]}" --force link
expect 0 bits-back-decode -q --test link.lpx
printf 'words' > dangling
expect 5 "${fallback[@]}" dangling
says "dangling.lpx: exists and is a symbolic link"
absent nowhere
expect 0 "${fallback[@]}" --rm --force link
[ -L link ] && [ -e file ] || die "a link or its file was removed"
# In and out the same file, by name and by link.
expect 5 "${fallback[@]}" file -o file --force
ln file hard
expect 5 "${fallback[@]}" file -o hard --force
[ "$(cat file)" = words ] || die "the input was changed"
no_leftovers
