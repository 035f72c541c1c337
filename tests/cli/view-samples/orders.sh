# Orders in which values became known, as maps, frames and tables.
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
view-samples back.s.h5 --order-map | sed -n '1,3p; $p'
make-data hub -n 90 -o hub.h5 -q
train-arm hub.h5 --preset tiny --hidden 8 --steps 3 --model fixed -o raster.h5 -q
sample-model raster.h5 -n 5 --order-trace steps -o raster.s.h5 -q
view-samples raster.s.h5 --order-map
try() {
  view-samples "$@" -o t.png -q
  echo "$? $*"
}
try none.h5 --order-map
try digits.h5 --order-map
try all.h5 --order-map --order-frames 3
view-samples all.h5 --order-map --order-frames 3 || echo "$?"
view-samples all.h5 --order-map --grid 2x2 || echo "$?"
view-samples hub.h5 --order-map || echo "$?"
view-samples raster.s.h5 --order-frames 2 || echo "$?"
try all.h5 --order-frames 0
view-samples all.h5 --order-map --preview || echo "$?"
