# Models that cannot be multiplied are refused, and the message names both and says in what they differ.
set -u
try() { multiply-pc "$@" -o no.h5 -q || echo "exit $?"; }
make-data hmm-text -n 60 --length 6 --alphabet 3 -o three.h5 -q
make-data hmm-text -n 60 --length 6 --alphabet 4 -o four.h5 -q
make-data tree -n 60 --dim 4 -o table.h5 -q
make-data digits -n 60 --size 8 -o digits.h5 -q
pc() { train-pc "$1" -o "$2" "${@:3}" -q; }
pc three.h5 a.h5 --hidden 2 --steps 2
pc three.h5 path.h5 --inhomogeneous --hidden 2 --steps 2
pc four.h5 b.h5 --hidden 2 --steps 2
pc table.h5 t.h5 --structure hclt --hidden 2 --steps 2 --root 0
pc table.h5 u.h5 --structure hclt --hidden 2 --steps 2 --root 3
pc table.h5 m.h5 --structure hclt --hidden 2 --steps 2 --root 0 --leaf-latents merge
pc digits.h5 styles.h5 --hidden 2 --steps 2 --styles 2
pc digits.h5 greys.h5 --hidden 2 --steps 2 --styles 1
pc digits.h5 bits.h5 --hidden 2 --steps 2 --binarise static --structure mixture
pc digits.h5 other.h5 --hidden 2 --steps 2 --binarise threshold --structure mixture
printf xyzxyzxyzxyz > xyz.txt
printf abcabcabcabc > abc.txt
for text in abc xyz; do
  printf "$text" > letters.txt
  pack-data text $text.txt --alphabet letters.txt --block 3 -o $text.h5 -q
  pc $text.h5 $text.pc.h5 --hidden 2 --steps 1
done
try a.h5 b.h5
try a.h5 path.h5
try path.h5 t.h5
try t.h5 u.h5
try t.h5 m.h5
try styles.h5 styles.h5
try greys.h5 greys.h5
try bits.h5 other.h5
try abc.pc.h5 xyz.pc.h5
cat > mixed.json << 'END'
{"variables": [{"cats": 2}, {"cats": 2}], "root": "r", "blocks": [
  {"id": "a", "type": "leaf", "var": 0, "size": 2}, {"id": "b", "type": "leaf", "var": 1, "size": 2},
  {"id": "k", "type": "product", "children": ["a", "b"]},
  {"id": "h", "type": "product", "children": ["a", "b"]},
  {"id": "r", "type": "sum", "children": ["k", "h"], "size": 1}]}
END
printf 'a,b\n0,1\n1,0\n1,1\n' > two.csv
pack-data csv two.csv --levels 2 -o two.h5 -q
pc two.h5 mixed.h5 --structure file:mixed.json --steps 1
try mixed.h5 mixed.h5
sed -e '/"h", "type"/d' -e 's/\["k", "h"\]/["k"]/' -e '/"k", "type"/s/"children"/"kind": "kronecker", &/' mixed.json > pairs.json
pc two.h5 pairs.h5 --structure file:pairs.json --steps 1
try pairs.h5 pairs.h5
try a.h5
try a.h5 none.h5
try three.h5 a.h5
try a.h5 a.h5 --normalize push
try t.h5 t.h5 --normalize perron
try a.h5 a.h5 --normalize none --perturb 0.1
try a.h5 a.h5 --perturb=-1
train-pc three.h5 -o wide.h5 --hidden 300 --steps 1 -q
try wide.h5 wide.h5 --memory 200MiB
try wide.h5 wide.h5 wide.h5 wide.h5
train-vae digits.h5 -o vae.h5 --preset tiny --binarise static --steps 2 -q
try vae.h5 a.h5
ls no.h5 2> /dev/null
true
