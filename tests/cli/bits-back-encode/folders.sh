# Folders are walked in the order of names; what two inputs share is kept apart.
. "$CLI_TESTS/bits-back-encode/setup"
mkdir -p d/sub x y packed back
for file in d/b d/a d/sub/c; do printf '%s' "$file" > $file; done
ln -s a d/link
mkfifo d/pipe
cp -r d before
# Joined in one archive, and back as the tree that they were.
expect 0 bits-back-encode --fallback-only d -o d/all.lpx
says "1 symbolic link in folders left out"
says "1 special file (a device, pipe or socket) in folders left out"
bits-back-decode --list d/all.lpx | tail -n 3 | sed 's/.* //' | paste -sd ' ' > names
[ "$(cat names)" = "d/a d/b d/sub/c" ] || die "in another order: $(cat names)"
expect 0 bits-back-decode -q d/all.lpx --output-dir back
for file in a b sub/c; do cmp d/$file back/d/$file || die "differs: $file"; done
[ ! -e back/d/link ] || die "a link was taken along"
# An archive does not hold itself, however often it is made.
expect 0 "${fallback[@]}" d -o d/all.lpx --force
bits-back-decode --list d/all.lpx | grep -q 'd/all.lpx$' && die "holds itself"
rm d/all.lpx
# Each file to an archive of its own: next to it, or under the same path below --output-dir.
expect 0 "${fallback[@]}" d
[ -e d/a.lpx ] && [ -e d/b.lpx ] && [ -e d/sub/c.lpx ] || die "an archive is missing"
expect 5 bits-back-encode --fallback-only d
says "3 files in folders left out, which already end with .lpx"
expect 0 "${fallback[@]}" before --output-dir packed
[ -e packed/before/sub/c.lpx ] || die "no folder below --output-dir"
expect 0 bits-back-decode -q packed/before/a.lpx packed/before/sub/c.lpx --output-dir back
cmp before/sub/c back/before/sub/c || die "differs"
# Two files of one name keep their folders below --output-dir, there and back.
printf ja > x/j.csv
printf jb > y/j.csv
mkdir apart again beside
expect 0 "${fallback[@]}" x/j.csv y/j.csv --output-dir apart
expect 0 bits-back-decode -q apart/x/j.csv.lpx apart/y/j.csv.lpx --output-dir again
cmp x/j.csv again/x/j.csv && cmp y/j.csv again/y/j.csv || die "not the files that they were"
expect 0 "${fallback[@]}" x/j.csv y/j.csv
expect 0 bits-back-decode -q x/j.csv.lpx y/j.csv.lpx --output-dir beside
cmp x/j.csv beside/x/j.csv && cmp y/j.csv beside/y/j.csv || die "members of one name are not kept apart"
expect 5 "${fallback[@]}" x/j.csv x/./j.csv --output-dir apart --force
# One name in two places; one file given twice.
printf one > x/a
printf two > y/a
expect 0 "${fallback[@]}" "$PWD/x/a" y/../y/a -o twins.lpx
bits-back-decode --list twins.lpx | grep -q ' a$' || die "an absolute path is kept"
expect 0 "${fallback[@]}" "$PWD/x/a" "$PWD/y/a" -o far.lpx
mkdir far
expect 0 bits-back-decode -q far.lpx --output-dir far
[ "$(find far -type f | wc -l)" = 2 ] || die "not kept apart"
expect 5 "${fallback[@]}" x/a ./x/a -o same.lpx
says "./x/a: would be the second member called x/a"
mkdir nothing
expect 1 "${fallback[@]}" nothing
says "nothing: is a folder without files to code"
# --rm takes the files, the folders stay.
rm -r d && cp -r before d && rm d/pipe
expect 0 "${fallback[@]}" --rm d
absent d/a d/sub/c
[ -e d/sub/c.lpx ] || die "no archive"
no_leftovers
