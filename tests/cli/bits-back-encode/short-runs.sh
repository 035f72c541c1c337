# A model that reads runs of any length codes a text to its end: no block is left to another coder.
. "$CLI_TESTS/bits-back-encode/setup"
fixture make letters.h5 letters || exit 77
fixture make text.h5 text || exit 77
awk 'BEGIN { # letters and vowels in turn, as the model knows them
  srand(1)
  letters = "abcdefghijklmnopqrstuvwxyz "
  for (i = 0; i < 5003; i++)
    printf "%s", i % 2 ? substr("aeiou", 1 + int(5 * rand()), 1) : substr(letters, 1 + int(27 * rand()), 1)
}' > words
for size in 0 1 39 40 41 5003; do
  head -c $size words > part
  expect 0 fixture encode --effort fast letters.h5 part -o part.lpx --force --report part.json
  expect 0 fixture decode letters.h5 part.lpx -o back --force
  cmp part back || die "$size symbols come back as others"
  # What blocks there are is known without the model.
  expect 0 bits-back-decode --list part.lpx
done
by_model() { jq -r .result.blocks.model.raw_bytes "$1"; }
fixture encode --effort fast text.h5 -o whole.lpx --report whole.json -q < words || die "a pipe is not coded"
[ "$(by_model whole.json)" = 5000 ] || die "a model of whole items does not leave the rest to another coder"
fixture encode --effort fast letters.h5 -o part.lpx --report part.json -q --force < words || die "a pipe is not coded"
[ "$(by_model part.json)" = 5003 ] || die "a model of runs does not code them to their end"
bits-back-decode --list -v part.lpx 2> err | grep -q '"items":"runs"' || die "the archive does not say that its items are runs"
no_leftovers
