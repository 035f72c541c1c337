# A model's file with one flipped bit: whoever loads it refuses it with exit 3, or gives what the whole
# one gives, since HDF5 keeps room that nobody reads. So does a checkpoint that a run goes on from.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export SOURCE_DATE_EPOCH=0
make-data digits -n 400 --size 14 --split train:400 -o digits.h5 -q
train-vae digits.h5 -o whole.h5 --preset tiny --binarise static --epochs 1 -q
cp whole.h5 m.h5
bits-back-encode --effort fast m.h5 --dataset digits.h5:train -o whole.lpx -q

flip() { # FROM TO AT
  local byte
  cp "$1" "$2"
  byte=$(dd if="$1" bs=1 skip="$3" count=1 status=none | od -An -tu1 | tr -d ' ')
  printf '%b' "\\0$(printf %o $((byte ^ (1 << $3 % 8))))" |
    dd of="$2" bs=1 seek="$3" conv=notrunc status=none
}
answer() { elbo-eval m.h5 digits.h5 --limit 3 -q -j 1; }
draw() { sample-model m.h5 -n 2 -o - -q -j 1; }
encode() { bits-back-encode --effort fast m.h5 --dataset digits.h5:train -o - -q -j 1; }
decode() { bits-back-decode m.h5 whole.lpx -o - -q -j 1; }
for tool in answer draw encode decode; do $tool > $tool.whole; done

# refused_or_same TOOL: exit 3, or what the whole model gave
files=0
refused_or_same() {
  local status=0
  "$1" > out 2> err || status=$?
  case $status in
    3) refused=$((refused + 1)) ;;
    0) cmp out "$1.whole" || { echo "byte $at: $1 gives something else"; exit 1; } ;;
    *) cat err; echo "byte $at: $1 exits $status"; exit 1 ;;
  esac
}
size=$(stat -c %s whole.h5)
for i in $(seq 120); do
  at=$((size * i / 121))
  flip whole.h5 m.h5 $at
  refused=0
  for tool in answer draw encode decode; do refused_or_same $tool; done
  if [ $refused -gt 0 ]; then # whatever one of them refuses, all refuse, and so does inspect --check
    files=$((files + 1))
    [ $refused = 4 ] || { echo "byte $at: only $refused of 4 tools refuse it"; exit 1; }
    status=0
    inspect --check m.h5 -q 2> err > out || status=$?
    [ $status = 3 ] || { cat err; echo "byte $at: inspect --check exits $status"; exit 1; }
  fi
done
[ $files -gt 100 ] || { echo "only $files of 120 were refused"; exit 1; }

# Where a tensor was hit the error names it; inspect --check finds it too.
named=0
for i in $(seq 40 10 110); do
  flip whole.h5 m.h5 $((size * i / 121))
  status=0
  elbo-eval m.h5 digits.h5 -q 2> err > out || status=$?
  if [ $status = 3 ] && grep -q 'm.h5: /params/' err; then named=$i; fi
done
[ $named -gt 0 ] || { cat err; echo "no error names a tensor"; exit 1; }
flip whole.h5 m.h5 $((size * named / 121))
status=0
inspect --check m.h5 -q 2> err > out || status=$?
[ $status = 3 ]

size=$(stat -c %s whole.ckpt.h5)
for i in 5 10 15; do
  flip whole.ckpt.h5 c.h5 $((size * i / 20))
  status=0
  train-vae digits.h5 -o n.h5 --preset tiny --binarise static --epochs 2 --resume --checkpoint c.h5 -q 2> err || status=$?
  [ $status = 3 ] || { cat err; echo "resumed from a damaged checkpoint"; exit 1; }
  [ ! -e n.h5 ]
done
