# What comes out is bounded; contradictions are usage errors; the self-test prints its parts.
. "$CLI_TESTS/bits-back-encode/setup"
head -c 300000 /dev/zero > zero
expect 0 "${fallback[@]}" zero
expect 3 bits-back-decode zero.lpx -o out.file --max-output 100K
says "--max-output allows more"
absent out.file
expect 5 bits-back-decode zero.lpx -o out.file --memory 1M
says "--memory allows more"
absent out.file
expect 0 "${fallback[@]}" --effort fast zero -f
expect 0 bits-back-decode zero.lpx -o out.file --max-output 300000 --memory 100K
cmp zero out.file || die "differs"
expect 2 bits-back-decode --test --list zero.lpx
expect 2 bits-back-decode --test zero.lpx -o x
expect 2 bits-back-decode --restore-name zero.lpx -o x
expect 2 bits-back-encode --store --fallback-only zero
# What would be ignored is refused by its name.
refused() {  # option, command
  local option=$1
  shift
  expect 2 "$@"
  says "$option: does nothing"
}
for words in '--latent-bits 8' '--particles 4' '--lanes 2' '--block-items 9'; do
  # shellcheck disable=SC2086
  refused "${words%% *}" bits-back-encode --fallback-only zero -o x $words
done
refused --pixels bits-back-encode --store --pixels zero -o x
for words in '--to png' --restore-name '--output-dir .' '--suffix .z' --times; do
  # shellcheck disable=SC2086
  refused "${words%% *}" bits-back-decode --list zero.lpx $words
  # shellcheck disable=SC2086
  refused "${words%% *}" bits-back-decode --test zero.lpx $words
done
refused --max-output bits-back-decode --list zero.lpx --max-output 1
absent x
expect 0 bits-back-decode --selftest
grep -q 'logpx numerics 1: good' out || die "no self-test"
expect 0 bits-back-encode --selftest
no_leftovers
