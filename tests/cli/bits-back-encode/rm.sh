# --rm removes a file after success, and only then.
. "$CLI_TESTS/bits-back-encode/setup"
printf 'words words words' > a
cp a b
expect 0 "${fallback[@]}" a
[ -e a ] || die "removed without --rm"
expect 5 "${fallback[@]}" --rm a
[ -e a ] || die "removed although the output was refused"
expect 0 "${fallback[@]}" --rm --force a
absent a
expect 0 bits-back-decode -q --rm a.lpx
absent a.lpx
cmp a b || die "differs"
# Not when the report cannot be written: then there is no archive either.
expect 1 "${fallback[@]}" --rm --report /dev/full a
[ -e a ] || die "removed although the run failed"
absent a.lpx
# One bad file keeps its own, the others go.
expect 1 "${fallback[@]}" --rm a missing b
absent a b
[ -e a.lpx ] && [ -e b.lpx ] || die "an archive is missing"
expect 0 bits-back-decode -q --rm a.lpx b.lpx
cmp a b || die "differs"
for words in '-o -' '-o x b'; do
  # shellcheck disable=SC2086
  expect 2 "${fallback[@]}" --rm a $words
  says "--rm: cannot remove files"
done
expect 2 "${fallback[@]}" --rm -
expect 2 bits-back-decode --rm --test a.lpx
# Not an archive of which something is lost in what comes out.
expect 0 "${fallback[@]}" a b -o all.lpx
expect 0 bits-back-decode --rm all.lpx -o both
says "all.lpx: its 2 members are joined, so it stays"
[ -e all.lpx ] || die "names are lost"
expect 2 bits-back-decode --rm --to npy all.lpx
says "--rm: cannot remove archives of files that come out in another form"
mkdir named
expect 2 bits-back-decode --rm all.lpx --member a --output-dir named
says "--rm: cannot remove archives of which only some members are taken"
expect 0 bits-back-decode -q --rm all.lpx --restore-name --output-dir named
absent all.lpx
cmp a named/a && cmp b named/b || die "differs"
[ -e a ] && [ -e b ] || die "removed"
