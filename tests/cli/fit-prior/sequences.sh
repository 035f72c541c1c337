# A generator seq cannot see the symbol before each position yet: it is refused, whatever else is asked for, before any
# work; without that it is trained like the others.
make-data hmm-text -n 60 --length 8 -o letters.h5 -q
make-data bars -n 60 -o bars.h5 -q
try() {
  local data=$1
  shift
  rm -f m.*
  fit-prior "$data" -o m.h5 --preset tiny --steps 2 -q --generator seq "$@" 2> err || echo "exit $?"
  sed -n '/^fit-prior: \(error\|hint\)/p' err
  [ ! -e m.h5 ] || echo made
}
for data in letters.h5 bars.h5; do
  try $data
  try $data --dry-run
  try $data --autoregressive --likelihood categorical
  try $data --posterior ula --hidden 8
  try $data --no-autoregressive --likelihood categorical
done
