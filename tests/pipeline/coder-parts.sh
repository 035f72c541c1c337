# ablate-coder over files and a pretended coder: the sums of each part over its files, what is worth most first.
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/test-bin" "$folder/data/calgary"
cat > "$folder/test-bin/coder-parts" << 'END'
#!/bin/sh
# ROUNDS FILE...: repeats are worth a tenth in every file, words half of the first
[ "$1" = 2 ] || exit 1
shift
printf 'words\tfirst\t%d\t1.5\t%d\t1.2\n' "$(wc -c < "$1")" "$(($(wc -c < "$1") * 3 / 2))"
for file; do
  size=$(wc -c < "$file")
  printf 'repeats\t%s\t%d\t1.0\t%d\t0.5\nwaste\t%s\t%d\t1.0\t%d\t0.9\n' \
    "$file" "$size" "$((size * 11 / 10))" "$file" "$size" "$((size * 9 / 10))"
done
END
chmod +x "$folder/test-bin/coder-parts"
head -c 5000 /dev/urandom > "$folder/one"
head -c 300 /dev/urandom | gzip > "$folder/two.gz"
head -c 70 /dev/urandom > "$folder/data/calgary/geo"
ablate() { SIZE=1000 ROUNDS=2 "$root/scripts/ablate-coder" "$folder" "$@" > "$folder/table"; }

ablate "$folder/one" "$folder/two.gz" # 1000 and 300 bytes
sed -n 3p "$folder/table" | grep -qxF '| words | 1 | 1000 | 1500 | +50.00 | 1.50 | 1.20 | -20 |'
sed -n 4p "$folder/table" | grep -qxF '| repeats | 2 | 1300 | 1430 | +10.00 | 2.00 | 1.00 | -50 |'
sed -n 5p "$folder/table" | grep -qxF '| waste | 2 | 1300 | 1170 | -10.00 | 2.00 | 1.80 | -10 |'
[ "$(wc -l < "$folder/table")" = 5 ]
DATA_DIR=$folder/data ablate
grep -qF '| words | 1 | 70 | 105 |' "$folder/table"
if DATA_DIR='' ablate 2> "$folder/err"; then echo "nothing was measured"; exit 1; fi
grep -q 'neither files nor DATA_DIR' "$folder/err"
