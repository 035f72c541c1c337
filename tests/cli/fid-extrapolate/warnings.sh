# Fewer rows than features, and scores below 0, are told and do not stop anything.
set -eu
. "$CLI_TESTS/fid-extrapolate/inputs"
rows 55 30 12 1 > wide.csv
rows 66 12 12 1 > few.csv
fid-extrapolate wide.csv few.csv --metrics fid --bootstrap 0 --report f.json > /dev/null
jq -c '.warnings | length' f.json
fid-extrapolate real.csv real.csv --metrics fid --bootstrap 0 > /dev/null
echo "of two sets it is said once:"
rows 67 12 12 1 > fewer.csv
fid-extrapolate wide.csv few.csv fewer.csv --metrics fid --bootstrap 0 2> err > /dev/null
grep -c "full rank" err
