# A bound that ends worse than it began is a warning, and nothing is proposed next.
set -eu
make-data bars -n 60 -o bars.h5 -q
try() {
  train-vae bars.h5 -o m.h5 --preset tiny --force "$@" --report report.json 2> err
  sed -n 's/ended at .* that training/ended at WORSE that training/; /warning\|next:/p' err
  grep -c 'training began with' report.json || true
}
echo "it learns" && try --epochs 4
echo "it diverges" && try --lr 1e9
