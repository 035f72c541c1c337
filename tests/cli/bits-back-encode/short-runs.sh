# A model that reads runs of any length codes a text to its end: no block is left to another coder.
. "$CLI_TESTS/bits-back-encode/setup"
fixture make letters.h5 letters || exit 77
fixture make text.h5 text || exit 77
yes 'banana velo kimono tusufa ' | tr -d '\n' | head -c 5003 > words
for size in 0 1 39 40 41 5003; do
  head -c $size words > part
  expect 0 fixture encode letters.h5 part -o part.lpx --force --report part.json
  expect 0 fixture decode letters.h5 part.lpx -o back --force
  cmp part back || die "$size symbols come back as others"
  # What blocks there are is known without the model.
  expect 0 bits-back-decode --list part.lpx
done
blocks() { jq -r ".result.coders.$1.blocks // 0" "$2"; }
expect 0 fixture encode text.h5 words -o whole.lpx --report whole.json
[ "$(blocks fallback whole.json)$(blocks model whole.json)" = 11 ] || die "the end of whole items is not bytes"
[ "$(blocks fallback part.json)$(blocks model part.json)" = 01 ] || die "the end of runs is not the model's"
bits-back-decode --list -v part.lpx | grep -q '"items":"runs"' || die "the archive does not say that its items are runs"
no_leftovers
