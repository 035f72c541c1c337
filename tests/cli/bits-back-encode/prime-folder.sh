# --prime FOLDER reads its files by their names, those of folders in it where these come, and of over 16 MiB the last.
. "$CLI_TESTS/bits-back-encode/setup"
mkdir -p like/b.d
for i in $(seq 60); do echo "$i" | sha256sum; done > all
head -n 15 all > like/a
head -n 30 all | tail -n 15 > like/b.d/z
head -n 45 all | tail -n 15 > like/b.d.txt
tail -n 15 all > like/c
ln -s ../other like/link
seq 1 3900 > other
tail -n 20 all | head -n 12 > lines.txt
expect 0 "${fallback[@]}" --no-times --prime like lines.txt -o primed.lpx
# The same as after one file of all of them in that order.
cat like/a like/b.d/z like/b.d.txt like/c > joined
expect 0 "${fallback[@]}" --no-times --prime joined lines.txt -o by-file.lpx
cmp primed.lpx by-file.lpx || die "the order of the files is another"
expect 0 bits-back-decode -q --prime like primed.lpx -o back.txt
cmp lines.txt back.txt || die "differs"
expect 0 bits-back-decode -q --prime joined primed.lpx -o back.txt --force
cmp lines.txt back.txt || die "differs by one file"
# Another folder is told from it, and so is one that has changed.
mkdir elsewhere
cp like/a elsewhere
expect 3 bits-back-decode --prime elsewhere primed.lpx -o new
says "primed.lpx: was coded after a file or folder of SHA-256 $(sha256sum joined | cut -c 1-8)..."
says "but elsewhere is $(sha256sum like/a | cut -c 1-8)..."
touch like/added
expect 0 bits-back-decode -q --test --prime like primed.lpx
echo more >> like/added
expect 3 bits-back-decode --prime like primed.lpx -o new
rm like/added
# It may go along.
expect 0 "${fallback[@]}" --prime like --embed-model lines.txt -o whole.lpx
expect 0 bits-back-decode -q whole.lpx -o back.txt --force
cmp lines.txt back.txt || die "differs by what is inside"
mkdir empty
expect 3 "${fallback[@]}" --prime empty lines.txt -o new
says "empty: is a folder in which there is nothing to read"
expect 1 "${fallback[@]}" --prime absent lines.txt -o new
absent new
no_leftovers
