# Circuits code texts, bytes, pictures and tables by their exact probabilities: as long as -log2 p(x) says, with any
# number of threads, down to a note of forty letters.
. "$CLI_TESTS/bits-back-encode/setup"
make-data hmm-text -n 150 --length 100 -o rows.h5 -q
view-samples rows.h5 --rows 0:150 -q | tr -d '\n' > book
head -c 40 book > note
pack-data text book --alphabet bytes -o bytes.h5 -q
pack-data text book --normalize text8 -o letters.h5 -q
make-data digits -n 60 --size 8 -o digits.h5 -q
make-data tree -n 60 --dim 6 -o tree.h5 -q
tiny=(--preset tiny --steps 60 -q)
train-pc bytes.h5 -o bytes.pc.h5 "${tiny[@]}" --factors 4,4
train-pc letters.h5 -o letters.pc.h5 "${tiny[@]}" --factors 4,4
make-data digits -n 400 --size 8 --seed 2 -o many.h5 -q
train-pc many.h5 -o grey.pc.h5 "${tiny[@]}" --styles 3
train-pc many.h5 -o bits.pc.h5 "${tiny[@]}" --binarise static
train-pc tree.h5 -o table.pc.h5 "${tiny[@]}" --structure mixture
. "$CLI_TESTS/../pipeline/shared/report-number"
check() { # MODEL CONTENT OPTIONS...
  local model=$1 content=$2
  shift 2
  expect 0 bits-back-encode --effort fast "$model.pc.h5" "$content" -o one.lpx --force -q -j 1 --block-items 7 "$@" --report r.json
  expect 0 bits-back-encode --effort fast "$model.pc.h5" "$content" -o four.lpx --force -q -j 4 --block-items 7 "$@"
  cmp one.lpx four.lpx || die "$model $content $*: four threads make another archive"
  expect 0 bits-back-decode "$model.pc.h5" one.lpx -o back --force -q -j 4
  [ "$content" = --dataset ] || cmp "$content" back || die "$model $*: $content comes back changed"
}
for options in '' --carry '--interleave 1' '--interleave 3 --carry'; do
  check bytes book $options
  check letters book $options
done
# No byte, one, the same one, any ones.
: > empty
printf x > single
head -c 3000 /dev/zero | tr '\0' a > same
noise 3000 > random
for content in empty single same random; do check bytes $content; check letters $content; done
check bytes note
bits-back-encode --fallback-only --effort fast note -o plain.lpx -q
[ "$(wc -c < one.lpx)" -le "$(wc -c < plain.lpx)" ] || die "a note takes $(wc -c < one.lpx) bytes"
for model in grey bits; do check $model --dataset digits.h5; done
check table --dataset tree.h5
# Columns of words have as many values as words, and items as many as the largest column.
printf 'age,colour,pets\n31,red,1\n25,blue,0\n12,red,2\n44,green,3\n31,red,1\n28,blue,2\n' > words.csv
pack-data csv words.csv --categorical colour -o words.h5 -q
train-pc words.h5 -o words.pc.h5 --structure hclt "${tiny[@]}"
check words --dataset words.h5
check bytes book --embed-model
mv bytes.pc.h5 away.h5
expect 0 bits-back-decode --trust-embedded-model one.lpx -o back --force -q
cmp book back || die "the embedded model gives another text"
mv away.h5 bytes.pc.h5

# The code is as long as the model says, and nothing is borrowed.
bits-back-encode --effort fast bytes.pc.h5 book -o rows.lpx -q --report r.json --force
elbo-eval bytes.pc.h5 bytes.h5 --det -q --report e.json > out 2> own-data
awk -v coded="$(number r.json coded bits)" -v nats="$(number e.json log_likelihood value)" \
  -v rows="$(number e.json log_likelihood n)" \
  'BEGIN { bits = -rows * nats / log(2); exit !(coded > bits && coded < 1.005 * bits + 200) }' ||
  die "$(number r.json coded bits) bits, and a mean of $(number e.json log_likelihood value) nats"
expect 2 elbo-eval bytes.pc.h5 bytes.h5 --det --carry
says "every row stands alone"

# What cannot be coded says why.
LC_ALL=C awk 'BEGIN { for (i = 0; i < 300; i++) printf "%c%c%c", 228, 184 + int(i / 64), 128 + i % 64 }' > signs
pack-data text signs --alphabet auto -o signs.h5 -q
train-pc signs.h5 -o signs.pc.h5 "${tiny[@]}" --hidden 2
expect 3 bits-back-encode signs.pc.h5 signs -o no.lpx
says "knows 300 symbols, and only bytes can be coded"
says "pack-data text --alphabet bytes"
. "$CLI_TESTS/bits-back-encode/mixed-pairs"
pack-data csv x.csv --categorical auto -o x.h5 -q
train-pc x.h5 -o x.pc.h5 --structure file:pairs.json "${tiny[@]}"
expect 3 bits-back-encode x.pc.h5 --dataset x.h5 -o no.lpx
says 'block "r" that sums several blocks'
absent no.lpx
no_leftovers
