# Circuits and contexts together code texts, bytes and pictures shorter than either, the same by any threads and
# processor, and all of it comes back.
. "$CLI_TESTS/bits-back-encode/setup"
. "$CLI_TESTS/../pipeline/shared/report-number"
# A model knows what a text is like; contexts see that half of it comes twice.
make-data hmm-text -n 500 --length 100 -o rows.h5 -q
view-samples rows.h5 --rows 0:340 -q | tr -d '\n' > train.txt
view-samples rows.h5 --rows 340:500 -q > lines
{ cat lines; sort lines; } | tr -d '\n' > held.txt
pack-data text train.txt --block 64 --normalize text8 -o letters.h5 -q
pack-data text train.txt --block 64 --alphabet bytes -o bytes.h5 -q
make-data digits -n 400 --size 8 -o digits.h5 -q
make-data digits -n 300 --size 8 --seed 2 -o held.h5 -q
small=(--preset tiny --steps 60 -q)
train-pc letters.h5 -o letters.pc.h5 "${small[@]}" --factors 3,3
train-pc bytes.h5 -o bytes.pc.h5 "${small[@]}" --factors 3,3
train-pc digits.h5 -o grey.pc.h5 "${small[@]}" --structure hclt --hidden 4 --styles 1
train-pc digits.h5 -o bits.pc.h5 "${small[@]}" --structure hclt --hidden 4 --binarise static
train-pc digits.h5 -o styles.pc.h5 "${small[@]}" --structure hclt --hidden 4 --styles 3

code() { # MODEL INPUT...
  local model=$1 isas isa
  shift
  expect 0 bits-back-encode "$model.pc.h5" "$@" -o one.lpx --force -q -j 1 --report r.json
  expect 0 bits-back-decode "$model.pc.h5" one.lpx -o back --force -q -j 4
  case $model in
    letters | styles) mapfile -t isas <<< "$ISAS" ;;
    *) isas=('') ;;
  esac
  for isa in "${isas[@]}"; do
    env ${isa:+LOGPX_ISA=$isa} bits-back-encode "$model.pc.h5" "$@" -o four.lpx --force -q -j 4 2> err ||
      { cat err; die "$model: four threads fail"; }
    cmp one.lpx four.lpx || die "$model: four threads ${isa:+of $isa }make another archive"
  done
}
coded() { jq "[.result.blocks[].coded_bytes] | add" "$1"; }
mixed() { jq .result.blocks.mixed.blocks r.json; }
for model in letters bytes; do
  for effort in normal best; do
    code $model held.txt --effort $effort --no-verify
    cmp held.txt back || die "$model: another text comes back"
    [ "$(mixed)" = 1 ] || die "$model, $effort: $(jq -c .result.blocks r.json)"
  done
  together=$(coded r.json)
  bits-back-encode $model.pc.h5 held.txt --carry --effort fast -o fast.lpx --force -q --report alone.json
  bits-back-encode --fallback-only held.txt -o none.lpx --force -q --report none.json
  [ "$together" -lt "$(coded alone.json)" ] && [ "$together" -lt "$(coded none.json)" ] ||
    die "$model: $together bytes, by the model $(coded alone.json), by contexts $(coded none.json)"
  [ "$(jq .result.mixed.bits r.json)" = $((8 * together)) ] || die "the report does not say the bits"
done
for model in bits grey styles; do
  code $model --dataset held.h5
  [ $model = bits ] || [ "$(mixed)" = 1 ] || die "$model: $(jq -c .result.blocks r.json)"
  [ "$(wc -c < back)" = $((16 + 300 * 64)) ] || die "$model: $(wc -c < back) bytes come back"
done
bits-back-decode --list -v one.lpx > list 2> err
grep -q 'mixed 1 block of' list || die "the list does not say how blocks are coded"

# An archive may bring its model along, and without one nothing is decoded.
expect 0 bits-back-encode letters.pc.h5 held.txt -o whole.lpx -q --embed-model
head -c 500 held.txt > like.txt
expect 0 bits-back-encode letters.pc.h5 held.txt -o both.lpx -q --embed-model --prime like.txt
mv letters.pc.h5 away.h5
expect 5 bits-back-decode whole.lpx -o no
expect 0 bits-back-decode --trust-embedded-model whole.lpx -o back --force -q
cmp held.txt back || die "the embedded model gives another text"
# And with the model what was read first.
rm like.txt
expect 5 bits-back-decode both.lpx -o no
expect 0 bits-back-decode --trust-embedded-model both.lpx -o back --force -q
cmp held.txt back || die "both together give another text"
expect 0 bits-back-decode --list -v both.lpx
grep -q '^  prime of 500 bytes (embedded, [0-9]* bytes)' out || die "the list does not say what was read first"
grep -q '^  model [0-9a-f]* (embedded, [0-9]* bytes)' out || die "the list does not say how long the model is"
absent no
no_leftovers
