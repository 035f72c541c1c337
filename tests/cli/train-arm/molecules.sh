# Molecules of mixed sizes: the same model with any number of threads and in two parts, for every way to an order; what
# cannot be learned from is refused.
set -u
make-data molecules --min-atoms 1 --max-atoms 4 -n 60 -o mol.h5 -q
whole=(train-arm mol.h5 --preset tiny --batch 20 --lr-schedule constant -q)
same() {
  "${whole[@]}" "$@" --steps 6 -o whole.h5 --force
  for threads in 2 4; do
    "${whole[@]}" "$@" --steps 6 -o threads.h5 -j $threads --force
    cmp whole.h5 threads.h5 && echo "the same model with $threads threads"
  done
  rm -f half.*
  "${whole[@]}" "$@" --steps 3 -o half.h5
  "${whole[@]}" "$@" --steps 6 -o half.h5 --resume --force
  cmp whole.h5 half.h5 && echo "the same model in two parts"
}
same --model ao
same --policy shared --variational shared
same --extra-features cycles --paths 4
tail -n 1 whole.history.jsonl | jq -c keys
"${whole[@]}" --model biased --steps 2 -o m.h5 --force
inspect m.h5 -q | jq -c '[.result.tables[] | select(.path | startswith("/constants/")) | [.path, .shape]]'
try() { train-arm "$@" -o bad.h5 --preset tiny --steps 2 -q || echo "exit $?"; }
try mol.h5 --net mlp
try mol.h5 --levels 4
try mol.h5 --hidden 5
try mol.h5 --heads 3
try mol.h5 --widths 8,8
try mol.h5 --ff-widths 8,0,8
echo '0 1 2 3' > short.txt
try mol.h5 --model fixed --order short.txt
make-data hub -n 20 -o hub.h5 -q
try hub.h5 --net graph
try hub.h5 --layers 2
make-data molecules --elements C,N,S --min-atoms 1 --max-atoms 4 -n 20 -o other.h5 -q
try mol.h5 --valid other.h5
make-data molecules --min-atoms 1 --max-atoms 2 -n 20 -o narrow.h5 -q
try mol.h5 --valid narrow.h5
ls bad.* 2> /dev/null
true
