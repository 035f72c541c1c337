# Letters, bytes and other symbols have probabilities, and no density: every trainer refuses to measure them as real
# numbers, and takes them by the likelihood that it names instead.
make-data hmm-text -n 60 --length 16 -o letters.h5 -q
make-data bernoulli-mix -n 60 -o bits.h5 -q
make-data bytes -n 60 --length 16 -o bytes.h5 -q
try() {
  rm -f m.*
  "$@" -o m.h5 --preset tiny --steps 2 -q 2> err || echo "exit $?"
  sed -n '/: \(error\|hint\): /p' err
  [ ! -e m.h5 ] || echo made
}
for data in letters.h5 bytes.h5 bits.h5; do
  try train-vae $data --likelihood gaussian
  try train-vae $data --likelihood gaussian-fixed --dequantise uniform
  try fit-prior $data --likelihood gaussian-fixed --obs-std learn
  try fit-prior $data --likelihood gaussian --dry-run
  try train-pc $data --leaf gaussian
done
try train-vae letters.h5 --likelihood categorical
try fit-prior letters.h5 --likelihood categorical
try train-vae bits.h5 --likelihood bernoulli
try train-pc letters.h5
# Pictures and real numbers have a density as ever.
make-data digits -n 60 --size 8 -o digits.h5 -q
try train-vae digits.h5 --likelihood gaussian
