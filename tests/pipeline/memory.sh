# A training run takes the memory that its plan says, within 10 %: measured as what a large model
# takes beyond a small one.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
unset SOURCE_DATE_EPOCH
bytes() { sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p" "$2"; }
for threads in 1 2; do
  for components in 8 4000; do
    train-fixture 8192 --components $components --batch 2048 --shards 8 --steps 2 --eval-every 0 \
      -j $threads -o m.h5 --force -q --report $components.json
  done
  planned=$(($(bytes planned_bytes 4000.json) - $(bytes planned_bytes 8.json)))
  taken=$(($(bytes peak_rss_bytes 4000.json) - $(bytes peak_rss_bytes 8.json)))
  echo "$threads threads: planned $planned bytes more, taken $taken"
  [ $((taken * 10)) -lt $((planned * 11)) ]
  [ $((taken * 10)) -gt $((planned * 9)) ]
done
