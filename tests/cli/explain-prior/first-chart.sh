# A first chart, of a prior of which nothing was chosen, has six curves at most; of what is chosen there are more.
set -eu
. "$CLI_TESTS/explain-prior/inputs"
explain-prior k.h5 -q > all.json
jq -r '(.result.components | length > 6), (.series | map(.name) | join("; "))' all.json
plot-report - -o first.gp < all.json
explain-prior k.h5 --q 0,1 -q | jq '.series | length > 6'
