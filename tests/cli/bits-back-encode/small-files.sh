# A file of at most 64 KiB makes an archive of one record, which is read in every way in which others are.
. "$CLI_TESTS/bits-back-encode/setup"
seq 1 700 > lines
noise 65536 > grain
: > empty
for file in lines grain empty; do
  for effort in fast normal best; do
    expect 0 "${fallback[@]}" --effort $effort --no-times "$file" -o a.lpx --force
    expect 0 bits-back-decode -q a.lpx -o back --force
    cmp "$file" back || die "$file differs at effort $effort"
    bits-back-decode --list -v a.lpx > list 2> /dev/null
    grep -q "version 2.6, effort $effort, small, parameters {}$" list || die "$file is not small"
    coded=$(awk 'NR == 3 { print $2 }' list)
    [ $(($(stat -c %s a.lpx) - coded - ${#file})) -le 33 ] || die "$file takes over 33 bytes more"
  done
done
# Time and mode come back as from any archive.
chmod 640 lines
touch -d @1700000000.123456789 lines
expect 0 "${fallback[@]}" lines -o a.lpx --force
mkdir outputs
expect 0 bits-back-decode -q a.lpx --output-dir outputs
[ "$(stat -c '%a %.9Y' outputs/lines)" = "640 1700000000.123456789" ] || die "time or mode differ"
# One member of one, by name and number; a pipe on both sides; several in one file.
expect 0 bits-back-decode -q a.lpx --member lines -o back --force
cmp lines back || die "differs by name"
expect 2 bits-back-decode a.lpx --member 2 -o new
"${fallback[@]}" < lines | bits-back-decode -q > back || die "a pipe fails"
cmp lines back || die "differs through a pipe"
expect 0 "${fallback[@]}" lines grain -o two.lpx
cat a.lpx two.lpx a.lpx > joined.lpx
expect 0 bits-back-decode -q joined.lpx -o back --force
cat lines lines grain lines | cmp - back || die "archives in one file differ"
expect 3 bits-back-decode a.lpx -o new --max-output 100
says "--max-output allows more"
# Damage says where, and leaves nothing.
head -c 100 a.lpx > bad.lpx
expect 3 bits-back-decode bad.lpx -o new
says "bad.lpx: record after header: is cut short"
{ head -c 60 a.lpx; printf '\252'; tail -c +62 a.lpx; } > bad.lpx
for how in "-o new" --list --test; do
  # shellcheck disable=SC2086  # two words
  expect 3 bits-back-decode bad.lpx $how
  says "bad.lpx: record after header: checksum differs: the archive is damaged"
done
absent new
no_leftovers
