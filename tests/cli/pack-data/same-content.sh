# A file, its gzip, stdin, a pipe and a process substitution give one content hash.
set -eu
. "$CLI_TESTS/pack-data/inputs"
gzip -kn images.idx
pack-data idx images.idx -q -o a.h5
pack-data idx images.idx.gz -q -o b.h5
pack-data idx - -q -o c.h5 < images.idx.gz
cat images.idx | pack-data auto - -q --name idx -o d.h5
pack-data idx <(cat images.idx) -q -o e.h5
pack-data idx images.idx -q -o - > f.h5
for file in a b c d e f; do inspect $file.h5 -q --hash; done | sort -u | wc -l
