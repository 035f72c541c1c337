# Structure files that nobody should have written: refused with file, line or block, before memory is taken for them.
set -u
make-data hmm-text -n 20 --length 3 --alphabet 3 -o text.h5 -q
[ -n "${ASAN_OPTIONS-}" ] || ulimit -v 1500000  # the sanitizers themselves take more
try() { train-pc text.h5 -o no.h5 --structure "file:$1" --memory 1GiB -q || echo "exit $?"; }
cat > good.json << 'END'
{"variables": [{"cats": 3}, {"cats": 3}, {"cats": 3}], "root": "r", "blocks": [
  {"id": "a", "type": "leaf", "var": 0, "size": 2},
  {"id": "b", "type": "leaf", "var": 1, "size": 2},
  {"id": "c", "type": "leaf", "var": 2, "size": 2},
  {"id": "ab", "type": "product", "children": ["a", "b"]},
  {"id": "s", "type": "sum", "children": ["ab"], "size": 2},
  {"id": "sc", "type": "product", "children": ["s", "c"]},
  {"id": "r", "type": "sum", "children": ["sc"], "size": 1}]}
END
train-pc text.h5 -o good.h5 --structure file:good.json --epochs 1 -q && echo "the circuit that the others spoil"
spoil() { sed "$2" good.json > "$1.json" && echo "$1" && try "$1.json"; }
spoil cycle 's/"children": \["ab"\]/"children": ["sc"]/'
spoil itself 's/"children": \["ab"\]/"children": ["s"]/'
spoil twice 's/"id": "b"/"id": "a"/'
spoil nobody 's/"children": \["s", "c"\]/"children": ["s", "d"]/'
spoil huge 's/"var": 0, "size": 2/"var": 0, "size": 1000000000000/'
spoil wide 's/"var": 0, "size": 2/"var": 0, "size": 2000000000/; s/"var": 1, "size": 2/"var": 1, "size": 2000000000/'
spoil empty 's/"var": 0, "size": 2/"var": 0, "size": 0/'
spoil alphabet 's/{"cats": 3}, {"cats": 3}, /{"cats": 3}, {"cats": 70000}, /'
spoil negative 's/{"cats": 3}, {"cats": 3}, /{"cats": 3}, {"cats": -1}, /'
spoil short 's/"root": "r", //'
spoil fraction 's/"var": 0/"var": 0.5/'
spoil half '4,$d'
train-pc text.h5 -o no.h5 --hidden 100000 --memory 1GiB -q || echo "exit $?"
train-pc text.h5 -o no.h5 --hidden 100000 --structure mixture --memory 1MiB -q || echo "exit $?"
train-pc text.h5 -o no.h5 --hidden 10000000 -q || echo "exit $?"
echo "a million blocks"
{ echo '{"variables": [{"cats": 3}], "root": "b0", "blocks": ['
  seq 0 999999 | sed 's/.*/{"id":"b&"},/'
  echo '{"id": "l", "type": "leaf", "var": 0, "size": 1}]}'; } > million.json
try million.json
echo "many blocks within the size"
{ echo '{"variables": [{"cats": 3}], "root": "b0", "blocks": ['
  seq 0 150000 | sed 's/.*/{"id":"b&"},/'
  echo '{"id": "l", "type": "leaf", "var": 0, "size": 1}]}'; } > many.json
try many.json
echo "deep lists"
{ printf '[%.0s' $(seq 5000); } > deep.json
try deep.json
ls no.* 2> /dev/null
true
