# --restore-name uses the last part of a stored name, and none that could do harm.
. "$CLI_TESTS/bits-back-encode/setup"
mkdir in
printf 'words' > in/a
printf 'dash' > in/-rf
printf 'line' > $'in/new\nline'
expect 0 "${fallback[@]}" in/a in/-rf $'in/new\nline' -o all.lpx
expect 0 bits-back-decode -q --restore-name all.lpx
cmp in/a a && cmp in/-rf lpx-member-2 && cmp $'in/new\nline' lpx-member-3 || die "differs"
expect 5 bits-back-decode --restore-name all.lpx
says "a: exists"
mkdir two
printf 'other' > two/a
expect 0 "${fallback[@]}" in/a two/a -o twins.lpx
mkdir dir
expect 5 bits-back-decode -q --restore-name twins.lpx --output-dir dir --force
says "dir/a: is the name of two members"
# A member never replaces an archive that is still to be read, nor any input.
cp a trap.lpx
"${fallback[@]}" trap.lpx --force -o evil.lpx
cp all.lpx trap.lpx
expect 5 bits-back-decode -q --restore-name --force evil.lpx trap.lpx
cmp all.lpx trap.lpx || die "an input was replaced"
# A member that is called as the stand-in of another takes nobody's place.
printf 'called so' > in/lpx-member-2
expect 0 "${fallback[@]}" in/lpx-member-2 in/-rf -o calls.lpx
mkdir kept
expect 0 bits-back-decode -q --restore-name calls.lpx --output-dir kept
cmp in/lpx-member-2 kept/lpx-member-1 && cmp in/-rf kept/lpx-member-2 || die "one took the other's place"
(cd in && "${fallback[@]}" -o ../paths.lpx -- lpx-member-2 -rf) || die "cannot code them"
mkdir paths
expect 0 bits-back-decode paths.lpx --output-dir paths
says "lpx-member-2: is not a safe name, so the member becomes lpx-member-1"
cmp in/lpx-member-2 paths/lpx-member-1 && cmp in/-rf paths/lpx-member-2 || die "one path took the other's place"
"${fallback[@]}" < in/a > pipe.lpx
expect 0 bits-back-decode -q --restore-name pipe.lpx
cmp in/a lpx-member-1 || die "a member without a name"
expect 0 bits-back-decode -q all.lpx -o - --no-times
chmod 600 in/a
touch -d 2001-01-01 in/a
expect 0 "${fallback[@]}" in/a
rm in/a
expect 0 bits-back-decode -q --no-times in/a.lpx
[ "$(stat -c %Y in/a)" != "$(stat -c %Y in/a.lpx)" ] || die "--no-times restores the time"
expect 0 bits-back-decode -q --force in/a.lpx
[ "$(stat -c '%a %Y' in/a)" = "600 $(date -d 2001-01-01 +%s)" ] || die "time or mode is not restored"
no_leftovers
