# A file that the adaptive coder reads first makes files like it small, and only that file decodes them,
# or nothing else where it stands inside.
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
says "primed.lpx: was coded after a file or folder of SHA-256 ${hash:0:8}..."
says "--prime names it"
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
# With --embed-model it stands inside, and nothing else is needed, wherever the archive goes.
expect 0 "${fallback[@]}" --prime before.txt --embed-model lines.txt -o whole.lpx --threads 1
expect 0 "${fallback[@]}" --prime before.txt --embed-model lines.txt -o three.lpx --threads 3 --force
cmp whole.lpx three.lpx || die "threads change the archive"
[ "$(stat -c %s whole.lpx)" -gt "$(stat -c %s primed.lpx)" ] || die "nothing is inside"
[ "$(stat -c %s whole.lpx)" -lt $(($(stat -c %s primed.lpx) + $(stat -c %s before.txt) * 6 / 10)) ] ||
  die "what is inside is not coded"
mkdir elsewhere
mv whole.lpx elsewhere
expect 0 bits-back-decode -q elsewhere/whole.lpx -o back.txt --force
cmp lines.txt back.txt || die "differs by what is inside"
expect 0 bits-back-decode --list -v elsewhere/whole.lpx
grep -q '^  version 2\.6, effort normal' out || die "the list says another version"
grep -q "^  prime of $(stat -c %s before.txt) bytes (embedded, [0-9]* bytes)" out || die "the list does not say what is inside"
expect 0 bits-back-decode --list -v primed.lpx
grep -q '^  version 2\.6, effort best' out || die "the list says another version where it is outside"
expect 0 bits-back-decode --test --prime before.txt elsewhere/whole.lpx
expect 3 bits-back-decode --prime other.txt elsewhere/whole.lpx -o new.txt
says "but other.txt is $(sha256sum other.txt | cut -c 1-8)..."
says "without --prime the one inside is read"
# As a pipe, of several members of which one is taken, and of each file its own.
"${fallback[@]}" --prime before.txt --embed-model < lines.txt | bits-back-decode -q > back.txt || die "a pipe fails"
cmp lines.txt back.txt || die "differs through a pipe"
cp lines.txt more.txt
expect 0 "${fallback[@]}" --prime before.txt --embed-model lines.txt other.txt more.txt -o three.lpx --force
expect 0 bits-back-decode -q three.lpx --member more.txt -o back.txt --force
cmp more.txt back.txt || die "one of three differs"
expect 0 "${fallback[@]}" --prime before.txt --embed-model lines.txt more.txt --output-dir elsewhere
expect 0 bits-back-decode -q --force elsewhere/lines.txt.lpx elsewhere/more.txt.lpx
cmp more.txt elsewhere/more.txt || die "one of two archives differs"
cat primed.lpx elsewhere/lines.txt.lpx elsewhere/more.txt.lpx > joined.lpx
expect 3 bits-back-decode joined.lpx -o new.txt
expect 0 bits-back-decode -q --prime before.txt joined.lpx -o back.txt --force
cat lines.txt lines.txt lines.txt | cmp - back.txt || die "three archives in one file differ"
expect 0 bits-back-encode --fallback-only --dry-run --prime before.txt --embed-model lines.txt -o new.lpx
expect 5 bits-back-decode elsewhere/whole.lpx -o new.txt --memory 1M
says "elsewhere/whole.lpx: a block takes"
expect 5 "${fallback[@]}" --prime before.txt --embed-model lines.txt -o new.lpx --memory 1M
says "before.txt: a block takes"
# Damage of what is inside.
cp elsewhere/whole.lpx bad.lpx
printf '\252' | dd of=bad.lpx bs=1 seek=500 conv=notrunc status=none
expect 3 bits-back-decode bad.lpx -o new.txt
says "bad.lpx: record after header: checksum differs: the archive is damaged"
expect 3 bits-back-decode --list bad.lpx
head -c 500 elsewhere/whole.lpx > bad.lpx
expect 3 bits-back-decode bad.lpx -o new.txt
says "bad.lpx: record after header: is cut short"
expect 2 "${fallback[@]}" --embed-model lines.txt -o new.lpx
says "--embed-model: does nothing without a model or --prime"
expect 2 bits-back-encode --store --embed-model --prime before.txt lines.txt -o new.lpx
says "--prime: does nothing with --store"
expect 0 bits-back-encode --embed-model --prime before.txt lines.txt -o new.lpx && rm new.lpx
cp before.txt before.lpx
expect 5 "${fallback[@]}" --prime before.lpx lines.txt -o before.lpx --force
absent new.txt new.lpx
no_leftovers
