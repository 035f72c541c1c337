# The prior of a model: the same z as sample-model decodes, evenly spread ones, and what came with them.
set -eu
. "$CLI_TESTS/explain-prior/inputs"
sample-its k.h5 -n 40 --decode -o s.h5 -q --report s.json
jq -c '.result | [.n, .method, .qmc, .u_error_max < 1e-10]' s.json
sample-model k.h5 -n 40 --mean -o m.h5 -q
view-samples s.h5 -o s.png -q
view-samples m.h5 -o m.png -q
cmp s.png m.png && echo "the pictures of sample-model"
sample-its k.h5 -n 40 -o all.csv -q
sample-its k.h5 -n 40 --rows 10:20 -o some.csv -q -j 1
sed -n '1p;12,21p' all.csv | cmp - some.csv && echo "some of all"
sample-its k.h5 --u-file s.h5 -o again.csv -q
cmp all.csv again.csv && echo "from their numbers"
head -n 1 all.csv
sample-its k.h5 -n 64 --qmc sobol --its hermite -o even.npy -q
fit-prior d.h5 -o mixture.h5 --preset tiny --prior mixture --latent 3,4 --coupling independent --steps 5 -q
sample-its mixture.h5 -n 50 --components -o c.h5 -q
inspect c.h5 -q | jq -c '.result.tables[] | select(.path | startswith("/codes")) | [.path, .type, .shape]'
