# The same models make the same bytes, for any number of threads; --perturb follows the seed.
set -eu
. "$CLI_TESTS/multiply-pc/inputs"
made() { multiply-pc a.h5 a.h5 -o p.h5 -q --force "$@" && inspect -q --hash p.h5; }
[ "$(made)" = "$(made -j 3)" ] && echo "any number of threads"
[ "$(made)" = "$(made -s 5)" ] && echo "no seed"
[ "$(made --perturb 0.1)" != "$(made)" ] && echo "perturbed"
[ "$(made --perturb 0.1)" = "$(made --perturb 0.1)" ] && echo "the same seed"
[ "$(made --perturb 0.1)" != "$(made --perturb 0.1 -s 5)" ] && echo "another seed"
