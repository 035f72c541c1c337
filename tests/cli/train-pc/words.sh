# Columns of words keep tables of their words, whatever the structure: --leaf is about numbers, and
# a file that says otherwise is refused by name.
set -u
try() { train-pc "$@" -o m.h5 --steps 5 -q --force || echo "exit $?"; }
{ echo colour,vote,n; for i in $(seq 30); do printf "red,yes,$i\nblue,no,%d\ngreen,no,3\n" $((i % 9)); done; } > t.csv
pack-data csv t.csv --categorical auto -o t.h5 -q
cut -d, -f1,2 t.csv > words.csv && pack-data csv words.csv --categorical auto -o words.h5 -q
cats() { query-pc m.h5 --query export -o - -q | jq -c '[.variables[] | .cats // "real"]'; }
for leaf in gaussian dlogistic; do try t.h5 --leaf $leaf && cats; done
try t.h5 --structure mixture --leaf gaussian && cats
printf 'colour,vote,n\nred,,1\n,no,\n' > gaps.csv
query-pc m.h5 gaps.csv --query impute --draws 40 -o draws.csv -q > /dev/null
tail -qn +2 draws.*.csv | grep -vE '^(red|blue|green),(yes|no),' || echo "words alone"
try words.h5 --leaf categorical && cats
try words.h5 --leaf gaussian
echo '{"vote": "gaussian"}' > leaves.json && try t.h5 --leaf leaves.json
echo '{"n": "gaussian"}' > leaves.json && try t.h5 --leaf leaves.json && cats
try words.h5 --tie-leaves all
circuit() { cat << END
{"variables": [{"name": "colour", "cats": 3}, {"name": "vote"$1}], "root": "r", "blocks": [
  {"id": "c", "type": "leaf", "var": 0, "size": 2}, {"id": "v", "type": "leaf", "var": 1, "size": 2${2-}},
  {"id": "p", "type": "product", "children": ["c", "v"]}, {"id": "r", "type": "sum", "children": ["p"], "size": 1}]}
END
}
circuit ', "cats": 2' > two.json && try words.h5 --structure file:two.json && cats
circuit ', "cats": 3' > three.json && try words.h5 --structure file:three.json
circuit '' ', "dist": "gaussian"' > real.json && try words.h5 --structure file:real.json
