# Schedules and weights out of files, and what is wrong with some of them.
set -u
make-data gray8 -n 60 -o grey.h5 -q
go=(train-vdm grey.h5 --preset tiny --channels 4 --steps 4 --batch 20 -q --force)
try() { "${go[@]}" -o m.h5 "$@" || echo "exit $?"; }
echo '{"t": [0, 0.5, 1], "g": [-3, 0, 1]}' > knots.json
echo '{"gamma": [-5, 5], "w": [0.5, 1]}' > w.json
try --schedule table:knots.json && inspect m.h5 -q | jq -c '.result.tables | map(.path) | map(select(test("schedule")))'
elbo-eval m.h5 grey.h5 --limit 4 -q | jq -c '.result.bits_per_dim.value | . > 1 and . < 20'
try --schedule table:knots.json --raw-endpoints && elbo-eval m.h5 grey.h5 --limit 4 -q | jq -c '.result.bits_per_dim.value | isfinite'
"${go[@]}" --weight table:w.json -o w.h5 --report w.json.report
jq -c '.result.terms | keys' w.json.report
jq -c '.result.metrics | keys' w.json.report
echo '{"t": [0, 0.5], "g": [-3, 0]}' > bad.json && try --schedule table:bad.json
echo '{"t": [0, 1], "g": [1, -3]}' > bad.json && try --schedule table:bad.json
echo '{"t": [0, 1]}' > bad.json && try --schedule table:bad.json
echo '{"t": [0, 1], "g": [0, "1"]}' > bad.json && try --schedule table:bad.json
echo '[' > bad.json && try --schedule table:bad.json
try --schedule table:none.json
echo '{"gamma": [1, 0], "w": [1, 1]}' > bad.json && try --weight table:bad.json
echo '{"gamma": [0, 1], "w": [1, -1]}' > bad.json && try --weight table:bad.json
true
