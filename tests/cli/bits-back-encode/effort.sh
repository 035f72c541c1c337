# What no model codes is coded shorter the longer it may take, by any number of threads, and comes back.
. "$CLI_TESTS/bits-back-encode/setup"
seq 100 4000 > numbers.txt
awk 'BEGIN { printf "P5\n64 48\n255\n"; for (i = 0; i < 3072; i++) printf "%c", 33 + (i % 64 + int(i / 64)) / 2 }' > ramp.pgm
for effort in fast normal best; do
  expect 0 "${fallback[@]}" --effort $effort numbers.txt ramp.pgm -o $effort.lpx --threads 1
  expect 0 "${fallback[@]}" --effort $effort numbers.txt ramp.pgm -o three.lpx --threads 3 --force
  cmp $effort.lpx three.lpx || die "$effort: threads change the archive"
  mkdir out-$effort
  expect 0 bits-back-decode -q $effort.lpx --output-dir out-$effort
  cmp numbers.txt out-$effort/numbers.txt || die "$effort: differs"
  cmp ramp.pgm out-$effort/ramp.pgm || die "$effort: differs"
  bits-back-decode --list -v $effort.lpx > list 2> err
  grep -q "version 2.6, effort $effort, " list || die "the list does not say the effort"
done
grep -q 'adaptive 1 block of' list || die "the list does not say the coder"
[ "$(stat -c %s normal.lpx)" -lt "$(stat -c %s fast.lpx)" ] || die "normal is longer than fast"
expect 0 "${fallback[@]}" numbers.txt ramp.pgm -o usual.lpx
cmp usual.lpx normal.lpx || die "normal is not the default"
# Any processor writes the same bytes.
for isa in $ISAS; do
  LOGPX_ISA=$isa expect 0 "${fallback[@]}" numbers.txt ramp.pgm -o isa.lpx --force
  cmp isa.lpx normal.lpx || die "$isa changes the archive"
done
expect 2 bits-back-encode --fallback-only --effort slow numbers.txt
expect 2 bits-back-encode --store --effort best numbers.txt
says "--effort: does nothing with --store"
expect 5 "${fallback[@]}" --effort best numbers.txt -o small.lpx --memory 1M
says "--memory allows more"
absent small.lpx
no_leftovers
