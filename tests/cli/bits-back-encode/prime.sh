# A file that the adaptive coder reads first makes files like it small, and only that file decodes them.
. "$CLI_TESTS/bits-back-encode/setup"
for i in $(seq 60); do echo "$i" | sha256sum; done > before.txt
tail -n 20 before.txt | head -n 12 > lines.txt
seq 1 3900 > other.txt
expect 0 "${fallback[@]}" lines.txt -o plain.lpx
for effort in normal best; do
  expect 0 "${fallback[@]}" --prime before.txt lines.txt -o primed.lpx --effort $effort --threads 1 --force
  expect 0 "${fallback[@]}" --prime before.txt lines.txt -o three.lpx --effort $effort --threads 3 --force
  cmp primed.lpx three.lpx || die "threads change the archive"
  [ $((2 * $(stat -c %s primed.lpx))) -lt "$(stat -c %s plain.lpx)" ] || die "priming does not pay"
  expect 0 bits-back-decode -q --prime before.txt primed.lpx -o back.txt --force
  cmp lines.txt back.txt || die "differs"
done
expect 0 bits-back-decode -q --prime before.txt plain.lpx -o back.txt --force
cmp lines.txt back.txt || die "differs without a need for the file"
# What is inside can be told without it.
expect 0 bits-back-decode --list -v primed.lpx
hash=$(sha256sum before.txt | cut -c 1-32)
grep -qF "\"prime\":\"$hash\"" out || die "the list does not say after which file"
expect 3 bits-back-decode primed.lpx -o new.txt
says "primed.lpx: was coded after a file of SHA-256 ${hash:0:8}..."
says "--prime FILE names it"
expect 3 bits-back-decode --prime other.txt primed.lpx -o new.txt
says "but other.txt is $(sha256sum other.txt | cut -c 1-8)..."
: > empty
expect 3 "${fallback[@]}" --prime empty lines.txt -o new.lpx
says "empty: is empty"
head -c 17M /dev/zero > large
expect 3 "${fallback[@]}" --prime large lines.txt -o new.lpx
says "large: has over 16 MiB"
expect 2 bits-back-encode --store --prime before.txt lines.txt -o new.lpx
says "--prime: does nothing with --store"
expect 2 "${fallback[@]}" --effort fast --prime before.txt lines.txt -o new.lpx
says "--prime: needs --effort normal or best"
expect 2 bits-back-decode --list --prime before.txt primed.lpx
cp before.txt before.lpx
expect 5 "${fallback[@]}" --prime before.lpx lines.txt -o before.lpx --force
absent new.txt new.lpx
no_leftovers
