# Artifacts of every kind that were stored once are read for ever, and their content is as it was.
for file in "$REPO"/tests/fuzz/artifacts/*.h5; do
  inspect --check -q "$file" > report || { echo "${file##*/} is refused"; exit 1; }
  grep -o '"kind": "[a-z]*"' report | head -n 1
done | sort | uniq -c
