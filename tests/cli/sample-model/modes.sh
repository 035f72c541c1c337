# Every mode: what is in the file, the same for any number of threads, and the picture of it.
make-data digits -n 60 --size 8 -o digits.h5 -q
train-vae digits.h5 --preset tiny --binarise static --ema 0.9 -o vae.h5 -q
show() { # NAME OPTIONS...
  local name=$1
  shift
  for threads in 1 2 4; do sample-model vae.h5 -o "$name.$threads" -q -j $threads "$@"; done
  cmp "$name.1" "$name.2" && cmp "$name.1" "$name.4"
  mv "$name.1" "$name.h5"
  echo "$name:"
  inspect "$name.h5" --check -q > "$name.json"
  grep -E '"(path|is_mean|grid_columns)": |"shape"' "$name.json" | tr -d ' \n'
  echo
}
show draws -n 150
show means -n 150 --mean --temperature 0.5
show raw -n 150 --weights raw
show grid --manifold 4
show axes --traverse 1,0 --range -2,2 --points 5
show way --interpolate 3,1 --data digits.h5:test
show arc --interpolate 3,1 --data digits.h5:test --slerp --points 3
show seen --reconstruct digits.h5:test --index 1:4
show codes --encode digits.h5
cmp -s draws.h5 raw.h5 || echo "averages and raw weights differ"
for name in draws grid axes way seen; do view-samples $name.h5 -o $name.png; done
view-samples codes.h5 --labels -o codes.png
