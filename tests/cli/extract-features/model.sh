# Features by a model are the codes that sample-model gives of the same rows; a model that cannot give any says so.
make-data digits -n 80 --size 8 -o d.h5 -q
train-vae d.h5 --preset tiny --likelihood beta-binomial -o vae.h5 -q
fit-prior d.h5 --preset tiny --steps 3 -o kaem.h5 -q
range_of() { inspect "$1" -q | jq -c --arg path "$2" '.result.tables[] | select(.path == $path) | [.shape, .min, .max]'; }
extract-features d.h5 -o f.h5 --extractor model:vae.h5 -q
sample-model vae.h5 --encode d.h5 -o codes.h5 -q
[ "$(range_of f.h5 /features)" = "$(range_of codes.h5 /data/x)" ] && echo 'the same codes'
extract-features d.h5:test f.h5 -o g.h5 --extractor model:vae.h5 -q && inspect g.h5 -q | grep -E '"(n|extractor)"'
extract-features d.h5 -o k.h5 --extractor model:kaem.h5 --limit 10 -q && inspect k.h5 -q | grep -E '"(n|extractor)"'
make-data bars -n 10 -o bars.h5 -q
extract-features bars.h5 -o x.h5 --extractor model:vae.h5 -q || echo "exit $?"
extract-features f.h5 d.h5 -o x.h5 --extractor model:kaem.h5 -q || echo "exit $?"
