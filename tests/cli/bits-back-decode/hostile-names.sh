# No member leaves its folder: not by its name, not through a link, not with --force.
. "$CLI_TESTS/bits-back-encode/setup"
printf 'content' > file
mkdir box outside
long=$(printf 'n%.0s' $(seq 300))
fixture archive bad.lpx file ../up /abs "$PWD/outside/abs" a/../../up '' . .. a//b -rf $'new\nline' "$long" ok || exit 77
for force in '' --force; do
  # shellcheck disable=SC2086
  expect 0 bits-back-decode -q bad.lpx --output-dir box $force
  rm box/lpx-member-1
done
says "../up: is not a safe name, so the member becomes lpx-member-1"
[ "$(find . -name up -o -name abs | wc -l)" = 0 ] || die "left the folder"
[ "$(find outside -type f | wc -l)" = 0 ] || die "left the folder"
cmp file box/ok && cmp file box/lpx-member-11 || die "a member is missing"
# Links in the way, in the middle and at the end of a name; the files that they lead to stay.
fixture archive links.lpx file way/inner
ln -s ../outside box/way
for force in '' --force; do
  # shellcheck disable=SC2086
  expect 5 bits-back-decode -q links.lpx --output-dir box $force
  says "box/way/inner: box/way is a link or a file, expected a folder"
done
[ -z "$(ls outside)" ] || die "written through a link"
fixture archive last.lpx file last more/last
printf precious > outside/kept
ln -s ../outside/kept box/last
expect 5 bits-back-decode -q last.lpx --output-dir box
says "box/last: exists and is a link"
expect 0 bits-back-decode -q last.lpx --output-dir box --force
[ "$(cat outside/kept)" = precious ] && [ ! -L box/last ] || die "written through a link"
# A file where another member wants a folder, and the other way round; one name twice.
mkdir clash
fixture archive clash.lpx file a a/b
expect 5 bits-back-decode -q clash.lpx --output-dir clash
says "clash/a/b: clash/a is a link or a file"
fixture archive folder.lpx file c/d c
expect 5 bits-back-decode -q folder.lpx --output-dir clash --force
says "clash/c: is a folder, expected a file"
fixture archive twice.lpx file t t
expect 5 bits-back-decode -q twice.lpx --output-dir clash --force
says "clash/t: is the name of two members"
# What a terminal would obey is never printed as it is.
fixture archive signs.lpx file $'\xe2\x80\xaegnp.exe' $'\xc2\x9b2J' $'bad\xff'
bits-back-decode --list signs.lpx > list
grep -qF '\u202egnp.exe' list && grep -qF '\u009b2J' list && grep -qF 'bad\xff' list || die "$(cat -v list)"
# Nor does it come to stand in a folder, where ls would print it.
mkdir signs
expect 0 bits-back-decode -q signs.lpx --output-dir signs
says '\u009b2J: is not a safe name, so the member becomes lpx-member-2'
[ "$(cd signs && echo *)" = $'bad\xff lpx-member-1 lpx-member-2' ] || die "$(ls -b signs)"
expect 2 bits-back-decode signs.lpx --member none
says 'hint: there are \u202egnp.exe, \u009b2J, bad\xff'
no_leftovers
