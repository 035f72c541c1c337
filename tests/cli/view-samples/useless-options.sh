# Options that would do nothing are refused, not ignored.
make-data digits -n 60 --size 14 -o digits.h5 -q
make-data hmm-text -n 20 -o text.h5 -q
make-data gauss -n 20 -o gauss.h5 -q
for call in "text.h5 --grid 3x3" "text.h5 --json" "digits.h5 --preview --scale 2" \
  "digits.h5 -o a.png --dims 0,1" "digits.h5 -o a.png --grid 3" "gauss.h5 --dims 0,1 -o a.png --labels" \
  "digits.h5" "text.h5 -o a.png" "digits.h5 -o a.png --scale 64 --grid 5000x5000"; do
  view-samples $call
  echo "$call: $?"
done
ls
