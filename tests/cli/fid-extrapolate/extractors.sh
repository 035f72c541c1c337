# Datasets, samples, folders of pictures and arrays, extracted on the way; statistics made before serve again.
set -eu
. "$CLI_TESTS/fid-extrapolate/inputs"
make-data digits -n 240 --size 8 -o a.h5 -q
make-data digits -n 240 --size 8 -o b.h5 -s 2 -q
quick=(--bootstrap 0 --metrics fid -q)
fid-extrapolate a.h5 b.h5 --extractor random-conv:1:8 "${quick[@]}" > direct.json
jq -c '.result | [.extractor, .real, .fake]' direct.json
for set in a b; do extract-features $set.h5 -o $set.f.h5 --extractor random-conv:1:8 -q; done
fid-extrapolate a.f.h5 b.f.h5 "${quick[@]}" > files.json
extract-features a.h5 -o a.stats.h5 --extractor random-conv:1:8 --stats-only -q
fid-extrapolate a.stats.h5 b.f.h5 "${quick[@]}" > statistics.json
fid-extrapolate a.stats.h5 b.h5 --extractor random-conv:1:8 "${quick[@]}" > mixed.json
close() { jq -es '(.[0].result.metrics.fid.infinity.value - .[1].result.metrics.fid.infinity.value | fabs) < 1e-9' "$@"; }
for file in files statistics mixed; do close direct.json $file.json; done
# The classifier gives logits, and with them the inception score.
fid-extrapolate a.h5 b.h5 --extractor classifier:8 --fit-on a.h5 --metrics is --bootstrap 0 -q |
  jq -e '.result.metrics.is.at_max_n.value | . >= 1 and . <= 10'
# Folders of pictures, two against a third.
mkdir photos fakes-a fakes-b
python3 - << 'END'
for i in range(12):
    for folder, seed in (("photos", 3 * i + 1), ("fakes-a", 5 * i + 2), ("fakes-b", 7 * i + 3)):
        with open(f"{folder}/{i}.pgm", "wb") as file:
            file.write(b"P5 8 8 255 " + bytes(pow(5, seed + j, 257) % 256 for j in range(64)))
END
fid-extrapolate photos/ fakes-a/ fakes-b/ --extractor random-conv:1:4 --metrics fid --bootstrap 10 -q |
  jq -c '.result | [.real.n, .A.n, .B.n, .comparison.fid.better]'
try() { fid-extrapolate "$@" --bootstrap 0 -q > /dev/null || echo "exit $?"; }
extract-features b.h5 -o other.h5 --extractor random-conv:2:8 -q
try a.f.h5 other.h5
try a.f.h5 b.f.h5 --metrics is
try a.f.h5 b.f.h5 --rows 0:9
try a.f.h5 b.f.h5 --fit-on a.h5
fid-extrapolate a.h5 b.h5 --extractor random-conv:1:8 --dry-run
