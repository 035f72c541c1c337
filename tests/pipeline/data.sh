# Data in, looked at, and out again: every step a tool, every artifact checked.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
case ${SCALE:-tiny} in tiny) n=2400 ;; *) n=60000 ;; esac

# The built-in stand-ins: digits, scenes, text; each made, checked, drawn.
make-data digits --size 14 -n $n -o digits.h5 --report digits.json -q
make-data scenes --size 8 -n $n -o scenes.h5 -q
make-data hmm-text -n 200 -o text.h5 -q
make-data shapes2d ring8 -n 500 -o ring.h5 -q
for name in digits scenes text ring; do inspect $name.h5 --check --report $name.inspect.json > /dev/null; done
for name in digits scenes ring; do view-samples $name.h5:test -o $name.png -q; done
view-samples text.h5:test --limit 2 > text.txt
[ "$(wc -l < text.txt)" = 2 ]

# Same settings, same bytes: from the report, from the artifact, from other threads.
make-data digits --config digits.json -o again.h5 -j 1 -q
[ "$(inspect digits.h5 --hash)" = "$(inspect again.h5 --hash)" ]
make-data digits --config digits.h5 -o again.h5 -j 4 -q --force
[ "$(inspect digits.h5 --hash)" = "$(inspect again.h5 --hash)" ]

# A pipeline without a file between, and its picture is the same as by way of a file.
make-data digits -n 100 -o - -q | view-samples - -o piped.png -q
make-data digits -n 100 -o hundred.h5 -q
view-samples hundred.h5 -o filed.png -q
cmp piped.png filed.png

# Pictures become a dataset again.
mkdir sheets
cp piped.png sheets/a.png
cp filed.png sheets/b.png
pack-data images sheets -o sheets.h5 -q
inspect sheets.h5 --check > /dev/null

# Samples of a density are data, and are made again from their own numbers.
printf '0,30\n1,10\n3,\n' > bars.csv
sample-its --density bars.csv --histogram -n 5000 -o z.csv -q
pack-data csv z.csv -o z.h5 -q
sample-its --density bars.csv --histogram -n 5000 -o codes.h5 -q
inspect codes.h5 --check > /dev/null
sample-its --density bars.csv --histogram --u-file codes.h5 -o again.csv -q
cmp z.csv again.csv

# A flipped byte in the data does not pass.
cp digits.h5 bad.h5
size=$(stat -c %s bad.h5)
printf '\377' | dd of=bad.h5 bs=1 seek=$((size / 2)) conv=notrunc 2> /dev/null
if inspect bad.h5 --check > /dev/null 2> message; then echo "a flipped byte went unseen"; exit 1; fi

# Reports are charts.
if command -v gnuplot > /dev/null; then
  printf '{"step": 1, "loss": 3.5}\n{"step": 2, "loss": 2.5}\n' > training.history.jsonl
  plot-report training.history.jsonl -o training.svg -q
  tail -c 20 training.svg | grep -q '</svg>'
fi
echo "data pipeline: fine"
