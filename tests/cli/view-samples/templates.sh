# In which order molecules became known: the template of every one, how well they keep to one of them.
set -u
make-data molecules --min-atoms 1 --max-atoms 4 -n 60 -o mol.h5 -q
train-arm mol.h5 --preset tiny --steps 2 --lr 1e-3 --batch 32 --model biased -o bonds.h5 -q
train-arm mol.h5 --preset tiny --steps 2 --lr 1e-3 --batch 32 --model fixed -o atoms.h5 -q
for model in bonds atoms; do sample-model $model.h5 -n 30 --n-atoms 3 --order-trace steps -o $model.s.h5 -q; done
view-samples atoms.s.h5 --order-template ANE | grep -vE '^(equal|tau|place_[EN]|template)'
view-samples atoms.s.h5 --order-template ENA | sed -n '2p; /^place_A/p'
figure() { awk -F, -v name="$2" '$1 == name { print $2 }' "$1"; }
view-samples bonds.s.h5 --order-template ENA > bonds.csv
grep -c '^template_[EN]*A,' bonds.csv | jq '. > 0'
grep '^template' bonds.csv | awk -F, '{ sum += $2 } END { printf "%.6f\n", sum }'
[ "$(figure bonds.csv equal_ENA)" = "$(figure bonds.csv template_ENA)" ] && echo "the share of ENA"
figure bonds.csv place_A
[ "$(view-samples bonds.s.h5 --order-template ANE | grep ^tau | sed 's/.*,//')" = "$(figure bonds.csv tau_ENA | sed 's/^/-/; s/^--//')" ] && echo "tau in reverse"
sample-model bonds.h5 -n 3 --n-atoms 1 --order-trace steps -o single.s.h5 -q
view-samples single.s.h5 --order-template ENA
try() { view-samples "$@" || echo "exit $?"; }
try bonds.s.h5 --order-template ENN
try bonds.s.h5 --order-template ENA --order-map
try bonds.s.h5 --order-template ENA -o t.png
try bonds.s.h5 --order-map
try mol.h5 --order-template ENA
make-data hub -n 90 -o hub.h5 -q
train-arm hub.h5 --preset tiny --hidden 8 --steps 3 --lr 1e-3 -o hub.m.h5 -q
sample-model hub.m.h5 -n 5 --order-trace steps -o hub.s.h5 -q
try hub.s.h5 --order-template ENA
make-data digits -n 4 --size 8 -o digits.h5 -q
try digits.h5 --order-template ENA
