# Noise is stored, and not taken for longer than it is; what stands in it twice is found.
. "$CLI_TESTS/bits-back-encode/setup"
noise 70000 > film
cat film film > two
for effort in normal best; do
  for file in film two; do
    expect 0 "${fallback[@]}" --effort $effort $file -o $file.lpx --force -q
    [ "$(stat -c %s $file.lpx)" -lt 70700 ] || die "$file: takes more than once the noise"
    expect 0 bits-back-decode $file.lpx -o back --force -q
    cmp $file back || die "$file: differs"
  done
  expect 0 bits-back-decode --list -v film.lpx
  grep -q stored out || die "the list does not say that noise is stored"
  expect 0 bits-back-decode --list -v two.lpx
  grep -q adaptive out || die "the list does not say how repeats are coded"
done
no_leftovers
