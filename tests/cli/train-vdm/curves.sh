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
# The curves that a report draws.
"${go[@]}" -o m.h5 --mse-rows 8 --report m.report && jq -c '.series[] | [.name, (.x | length), (.y | length)]' m.report
"${go[@]}" -o m.h5 --mse-rows 0 --report m.report && jq -c '.series | map(.name)' m.report
# Mean and covariance of a file instead of those of the data: two rows of the same columns, read in their deviations.
printf 'a,b\n-1.5,1\n1.5,5\n' > two.csv && pack-data csv two.csv -o two.h5 -q
gauss() { train-vdm two.h5 --net linear-gauss --steps 1 -q --force --mse-rows 0 -o "$@" || echo "exit $?"; }
bits() { elbo-eval "$1" two.h5 -q --samples 64 | jq -c '.result.log_likelihood.value'; }
echo '{"mean": [0, 3], "covariance": [[2.25, 3], [3, 4]]}' > moments.json
gauss own.h5 && gauss given.h5 --moments moments.json && [ "$(bits own.h5)" = "$(bits given.h5)" ] && echo "the same moments"
echo '{"mean": [1, 3], "covariance": [[2.25, 3], [3, 4]]}' > moments.json
gauss given.h5 --moments moments.json && [ "$(bits own.h5)" = "$(bits given.h5)" ] || echo "others"
"${go[@]}" -o m.h5 --moments moments.json || echo "exit $?"
echo '{"mean": [1], "covariance": [[2]]}' > moments.json && gauss m.h5 --moments moments.json
echo '{"mean": [1, 3], "covariance": [[2]]}' > moments.json && gauss m.h5 --moments moments.json
echo '{"mean": [0, 0], "covariance": [[1, 2], [2, 1]]}' > moments.json && gauss m.h5 --moments moments.json
echo '{"mean": [0, 0], "covariance": [[1, 0], [1, 1]]}' > moments.json && gauss m.h5 --moments moments.json
echo '{"mean": [0, 0]}' > moments.json && gauss m.h5 --moments moments.json
gauss m.h5 --moments none.json
true
