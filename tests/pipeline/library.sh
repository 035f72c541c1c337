# A program of another project finds the library by CMake and by pkg-config, needs its one header, and says what the tools
# say.
root=$PWD
build=$(dirname "$(dirname "$(command -v inspect)")")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
scripts/install-library "$build" "$folder/there" lib
cp -r tools/library/example "$folder/example"
cd "$folder"
make-data hmm-text -n 300 --length 40 -o letters.h5 -q
train-pc letters.h5 -o hmm.h5 --preset tiny -q
sample-model hmm.h5 -n 50 -o - -q | view-samples - -q > text
cmake -S example -B by-cmake -DCMAKE_PREFIX_PATH="$folder/there" > log || { cat log; exit 1; }
cmake --build by-cmake > log || { cat log; exit 1; }
by-cmake/tour hmm.h5 letters.h5:test text | tee said
grep -q 'and the same again' said
[ "$(grep -c '^a draw with log p -' said)" = 3 ]
nats=$(elbo-eval hmm.h5 letters.h5:test --json -q | jq .result.log_likelihood.value)
grep -q "^pc: log p of .* rows is $(printf '%.4f' "$nats") nats on average (exact)" said || { echo "elbo-eval says $nats"; exit 1; }

export PKG_CONFIG_PATH=$folder/there/lib/pkgconfig
[ "$(pkg-config --modversion logpx)" = "$("$root/scripts/version")" ]
! pkg-config --atleast-version 99 logpx || { echo 'a version to come is there'; exit 1; }
# shellcheck disable=SC2046
g++ -std=c++20 -fsyntax-only example/tour.cpp $(pkg-config --cflags logpx)
! by-cmake/tour none.h5 letters.h5:test text 2> error || { echo 'a model that is not there is read'; exit 1; }
grep -q '^tour: none.h5: no such file' error || { cat error; exit 1; }
