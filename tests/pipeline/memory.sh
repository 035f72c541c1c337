# A training run takes the memory that its plan says: measured as what a large model takes beyond a small one.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
unset SOURCE_DATE_EPOCH
bytes() { sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p" "$2"; }

# compare NAME SMALL LARGE PERCENT: reports of two runs
compare() {
  local planned taken
  planned=$(($(bytes planned_bytes "$3") - $(bytes planned_bytes "$2")))
  taken=$(($(bytes peak_rss_bytes "$3") - $(bytes peak_rss_bytes "$2")))
  echo "$1: planned $planned bytes more, taken $taken"
  [ $((taken * 100)) -lt $((planned * (100 + $4))) ]
  [ $((taken * 100)) -gt $((planned * (100 - $4))) ]
}

for threads in 1 2; do
  for components in 8 4000; do
    train-fixture 8192 --components $components --batch 2048 --shards 8 --steps 2 --eval-every 0 \
      -j $threads -o m.h5 --force -q --report $components.json
  done
  compare "$threads threads" 8.json 4000.json 10
done

# A circuit, whether many parameters or many messages are large; within --memory it keeps fewer messages.
make-data hmm-text -n 32 --length 16 -o short.h5 -q
make-data hmm-text -n 32 --length 4096 -o long.h5 -q
for algorithm in em gradient; do
  circuit() { # NAME DATA HIDDEN [OPTIONS]
    train-pc "$2" --algorithm $algorithm --hidden "$3" --batch 32 --steps 2 --eval-every 0 -j 1 \
      -o m.h5 --force -q --report "$1.json" "${@:4}"
  }
  circuit small short.h5 8
  circuit parameters short.h5 1536
  compare "parameters, $algorithm" small.json parameters.json 25
  circuit all long.h5 128
  compare "messages, $algorithm" small.json all.json 25
  circuit some long.h5 128 --memory 24MiB
  taken=$(($(bytes peak_rss_bytes some.json) - $(bytes peak_rss_bytes small.json)))
  echo "within 24 MiB, $algorithm: taken $taken bytes"
  [ $taken -lt $((24 << 20)) ]
done
