# Several members become several files; --member takes some of them.
. "$CLI_TESTS/bits-back-encode/setup"
mkdir -p in/sub box
for file in in/a in/b in/sub/c; do printf '%s' "$file" > $file; done
expect 0 "${fallback[@]}" in -o box/all.lpx
expect 0 bits-back-decode -q box/all.lpx
for file in in/a in/b in/sub/c; do cmp $file box/$file || die "differs: $file"; done
rm -r box/in
expect 0 bits-back-decode -q box/all.lpx -o joined
cat in/a in/b in/sub/c | cmp - joined || die "-o does not join"
expect 0 bits-back-decode -q box/all.lpx --member in/b --member 3
absent box/in/a
cmp in/b box/in/b && cmp in/sub/c box/in/sub/c || die "differs"
bits-back-decode -q box/all.lpx --member in/sub -o - > out || die "fails"
cmp in/sub/c out || die "a folder is not its members"
expect 2 bits-back-decode box/all.lpx --member in/bb
says "--member: there is no member in/bb (did you mean in/b?)"
says "hint: there are in/a, in/b, in/sub/c"
expect 2 bash -c "bits-back-decode -q --member 4 -o none < box/all.lpx"
absent none
expect 2 bits-back-decode --list box/all.lpx --member 1
# The mode of a member, less what the umask forbids.
chmod 666 in/a
expect 0 "${fallback[@]}" in -o modes.lpx
mkdir open closed
(umask 000; bits-back-decode -q modes.lpx --output-dir open) || die "fails"
(umask 077; bits-back-decode -q modes.lpx --output-dir closed) || die "fails"
[ "$(stat -c %a open/in/a)$(stat -c %a closed/in/a)" = 666600 ] || die "the umask does not count"
# Without a name, the archive's own.
mkdir unnamed
"${fallback[@]}" < in/a > plain.lpx
expect 0 bits-back-decode -q plain.lpx --output-dir unnamed
cmp in/a unnamed/plain || die "has another name"
no_leftovers
