# Every source file is in the provenance, with its hash and that of what was inflated from it.
set -eu
. "$CLI_TESTS/pack-data/inputs"
gzip -kn images.idx
pack-data idx images.idx.gz -q -o a.h5
inspect a.h5 -q --provenance > story
grep -c "$(sha256sum < images.idx | cut -c 1-64)" story
grep -q "\"sha256\": \"$(sha256sum < images.idx.gz | cut -c 1-64)\"" story
mkdir folder
printf 'P5 1 1 255\na' > folder/a.pgm
printf 'P5 1 1 255\nb' > folder/b.pgm
pack-data images folder -q -o b.h5
inspect b.h5 -q --provenance > story
grep -q "$( (cd folder && sha256sum a.pgm b.pgm) | sha256sum | cut -c 1-64)" story
grep '"files"' story
