# Orders in which the values of images became known, as maps and frames.
set -u
make-data digits -n 40 --size 8 -o digits.h5 -q
train-arm digits.h5 --preset tiny --channels 4 --levels 4 --steps 3 --batch 8 -o arm.h5 -q
echo "$(seq 63 -1 0)" > back.txt
train-arm digits.h5 --preset tiny --channels 4 --levels 4 --steps 3 --batch 8 --model fixed --order back.txt -o back.h5 -q
sample-model arm.h5 -n 3 --order-trace all -o all.h5 -q
sample-model back.h5 -n 3 --order-trace steps -o back.s.h5 -q
sample-model arm.h5 -n 3 -o none.h5 -q
size() { view-samples "$@" --scale 1 --json -q | jq -c '[.result.width, .result.height]'; }
size all.h5 --order-map -o map.png
size all.h5 --order-frames 1,30,64 -o frames.png
size back.s.h5 --order-frames 1,30,64 --limit 1 -o frames2.png
# The last value comes first: the map is a slope from white to black.
view-samples back.s.h5 --order-map -o slope.png -q --scale 1 && pack-data images slope.png -o slope.h5 -q &&
  view-samples slope.h5 --preview --width 100 > /dev/null
view-samples all.h5 --order-frames 1,65 -o one.png
try() {
  view-samples "$@" -o t.png -q
  echo "$? $*"
}
try none.h5 --order-map
try digits.h5 --order-map
try all.h5 --order-map --order-frames 3
try all.h5 --order-frames 0
view-samples all.h5 --order-map --preview || echo "$?"
