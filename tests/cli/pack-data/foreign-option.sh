# An option of another format is an error that says which formats have it.
set -u
. "$CLI_TESTS/pack-data/inputs"
pack-data idx images.idx --gray -o x.h5
echo "exit $?"
pack-data idx images.idx --block 32 -o x.h5
echo "exit $?"
pack-data images images.idx --gray --rgb -o x.h5
echo "exit $?"
