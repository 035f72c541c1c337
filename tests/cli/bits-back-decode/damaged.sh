# A damaged archive is exit 3 with the place and the reason, and leaves no output.
. "$CLI_TESTS/bits-back-encode/setup"
head -c 2500000 /dev/urandom > random
expect 0 "${fallback[@]}" --effort fast random
mv random before
size=$(stat -c %s random.lpx)
damage() {  # at which byte
  cp random.lpx bad.lpx
  printf '\252' | dd of=bad.lpx bs=1 seek="$1" conv=notrunc status=none
}
damage 2000000
expect 3 bits-back-decode bad.lpx
says "bad.lpx: random: block 2: checksum differs: the archive is damaged"
absent bad
damage 3
expect 3 bits-back-decode bad.lpx
says "bad.lpx: is not an .lpx archive"
head -c 2000000 random.lpx > bad.lpx
expect 3 bits-back-decode bad.lpx
says "bad.lpx: random: block 2: is cut short"
head -c $((size - 3)) random.lpx > bad.lpx
expect 3 bits-back-decode bad.lpx
absent bad
{ cat random.lpx; echo garbage; } > bad.lpx
expect 3 bits-back-decode --test bad.lpx
says "has other bytes after its end"
expect 3 bits-back-decode --list bad.lpx
# One bad archive does not stop the others.
expect 3 bits-back-decode --test bad.lpx random.lpx
says "random.lpx: good, 1 member"
expect 3 bits-back-decode -q bad.lpx random.lpx
absent bad
cmp before random || die "differs"
expect 3 bits-back-decode before -o x
expect 2 bits-back-decode before
says "before: does not end with .lpx"
absent x
no_leftovers
