# A structure from a file is a circuit with the parameters that it gives, or a data error that says where.
set -u
make-data hmm-text -n 40 --length 6 --alphabet 3 --states 2 -o text.h5 -q
try() { train-pc text.h5 -o m.h5 --structure "file:$1" -q --force "${@:2}" || echo "exit $?"; }
# the weather model of hmmlearn's documentation: its likelihood is that of the three arrays
cat > weather.json << 'END'
{"hmm": {"startprob": [0.6, 0.4], "transmat": [[0.7, 0.3], [0.4, 0.6]],
  "emissionprob": [[0.1, 0.4, 0.5], [0.6, 0.3, 0.1]]}}
END
try weather.json --steps 0
printf abc > abc.txt
pack-data text abc.txt --alphabet abc.txt --block 3 -o abc.h5 -q
elbo-eval m.h5 abc.h5 --report report.json -q > /dev/null
grep -A 1 '"log_likelihood"' report.json | grep -oE '"value": -?[0-9]+\.[0-9]{6}'
try weather.json --epochs 2 --hidden 3
try weather.json --epochs 2 && inspect m.h5 -q | grep -c '"structure"'
# a tree of three variables does not fit six symbols
cat > three.json << 'END'
{"variables": [{"cats": 3}, {"cats": 3}], "root": "r", "blocks": [
  {"id": "a", "type": "leaf", "var": 0, "size": 2},
  {"id": "b", "type": "leaf", "var": 1, "size": 2},
  {"id": "ab", "type": "product", "children": ["a", "b"]},
  {"id": "r", "type": "sum", "children": ["ab"], "size": 1}]}
END
try three.json
sed 's/"children": \["a", "b"\]/"children": ["a", "a"]/' three.json > twice.json
try twice.json
sed 's/"type": "product", "children"/"type": "product", "children", "kind"/' three.json > bad.json
try bad.json
sed 's/0\.7, 0\.3/0.7, 0.4/' weather.json > sums.json
try sums.json
try none.json
