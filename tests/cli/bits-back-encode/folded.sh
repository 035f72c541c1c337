# Files that are DEFLATE inside: what they hold is coded, and the very files come back.
. "$CLI_TESTS/bits-back-encode/setup"
seq 1 3 15000 > numbers
gzip -n -k -9 numbers
gzip -n -c -1 numbers > fast.gz
cat numbers.gz fast.gz numbers.gz > several.gz
make-data digits -n 30 --size 14 -o digits.h5 -q
view-samples digits.h5 -o own.png --scale 2 -q
# One more chunk makes it another program's.
{ head -c 33 own.png; printf '\0\0\0\4gAMA\0\0\261\217\013\374a\005'; tail -c +34 own.png; } > foreign.png
plain=$("${fallback[@]}" numbers -o - | wc -c)
for file in numbers.gz fast.gz several.gz foreign.png; do
  expect 0 bits-back-encode --fallback-only "$file" -o one.lpx --force
  expect 0 bits-back-decode -q one.lpx -o again --force
  cmp "$file" again || die "$file differs"
  [ "$file" != numbers.gz ] || [ "$(stat -c %s one.lpx)" -le $((plain + 200)) ] || die "numbers.gz is not undone"
  [ "$(bits-back-decode --list one.lpx | awk 'NR == 2 { print $1 }')" = "$(stat -c %s "$file")" ] ||
    die "the list has another size of $file"
done
# A member alone; those before it are needed for what they have decided.
expect 0 "${fallback[@]}" numbers.gz fast.gz numbers several.gz -o all.lpx
for member in numbers.gz fast.gz numbers several.gz; do
  expect 0 bits-back-decode -q all.lpx --member "$member" -o again --force
  cmp "$member" again || die "$member alone differs"
done
# Left as they are.
closed=$("${fallback[@]}" --keep-deflate numbers.gz -o - | wc -c)
[ "$closed" -gt $((2 * plain)) ] || die "--keep-deflate opens it"
"${fallback[@]}" --effort fast numbers.gz -o - | wc -c | awk -v plain="$plain" '{ exit $1 <= 2 * plain }' || die "fast opens it"
# What comes out is counted as the file, not as what it holds.
expect 0 bits-back-decode --test all.lpx --max-output 250K
expect 3 bits-back-decode --test all.lpx --max-output 80K
# A bomb stays as it is.
head -c 6000000 /dev/zero | gzip -n -9 > bomb.gz
expect 0 "${fallback[@]}" bomb.gz
expect 0 bits-back-decode -q bomb.gz.lpx -o again --force
cmp bomb.gz again || die "the bomb differs"
# Cut anywhere, an archive is an error of data or input.
size=$(stat -c %s all.lpx)
for at in $(seq 1 $((size / 40)) "$size"); do
  [ "$at" -lt "$size" ] || continue
  head -c "$at" all.lpx > cut.lpx
  expect 3 bits-back-decode --test cut.lpx
done
# The same archive for any number of threads.
expect 0 "${fallback[@]}" numbers.gz foreign.png several.gz -o two.lpx --threads 2
expect 0 "${fallback[@]}" numbers.gz foreign.png several.gz -o four.lpx --threads 4
cmp two.lpx four.lpx || die "threads change the archive"
no_leftovers
