# Many small files in one archive: less than their tar, each comes back with name, time and mode, and damage is named.
. "$CLI_TESTS/bits-back-encode/setup"
make-data digits -n 100 --size 14 --split train:100 -o digits.h5 -q
bits-back-encode --store --dataset digits.h5:train -o d.lpx -q
bits-back-decode d.lpx -o digits.idx -q
mkdir files back
tail -c +17 digits.idx | split -b 196 -a 4 -d --filter='{ printf "P5\n14 14\n255\n"; cat; } > "$FILE"' \
  --additional-suffix=.pgm - files/digit-
printf 'some words\n' > files/notes.txt
chmod 600 files/digit-0003.pgm
touch -d '2001-02-03 04:05:06.789 UTC' files/digit-0005.pgm
for n in 10 30 100; do
  list=(files/notes.txt)
  for ((i = 0; i < n; i++)); do list+=("files/digit-$(printf %04d $i).pgm"); done
  tar cf files.tar "${list[@]}"
  expect 0 "${fallback[@]}" "${list[@]}" -o many.lpx --force
  expect 0 "${fallback[@]}" files.tar -o tar.lpx --force
  [ "$(stat -c %s many.lpx)" -lt "$(stat -c %s tar.lpx)" ] || die "$n files take more than their tar"
done
expect 0 bits-back-decode -q --restore-name many.lpx --output-dir back
diff -r files back || die "differs"
for name in digit-0003.pgm digit-0005.pgm; do
  [ "$(stat -c '%a %.9Y' files/$name)" = "$(stat -c '%a %.9Y' back/$name)" ] || die "$name: mode or time differs"
done
expect 0 bits-back-decode -q --test many.lpx
for threads in 1 2 4; do "${fallback[@]}" files/* -j $threads -o - > t.$threads; done
cmp t.1 t.2 && cmp t.1 t.4 || die "the bytes depend on the threads"
# A byte of the pictures' block.
size=$(stat -c %s many.lpx)
cp many.lpx bad.lpx
printf '\377' | dd of=bad.lpx bs=1 seek=$((size - 3000)) conv=notrunc 2> err
expect 3 bits-back-decode -q --test bad.lpx
says "files/digit-0000.pgm to files/digit-0099.pgm: block"
# Every member of another size, and of no content.
rm -r back files
mkdir files back
for i in 1 2 3 4 5 6 7 8 9; do
  { printf 'P5 %d 3 255\n' $i; head -c $((3 * i)) digits.idx; } > files/$i.pgm
  : > files/empty-$i
done
cat digits.idx digits.idx > files/large
expect 0 "${fallback[@]}" files/* -o many.lpx --force
expect 0 bits-back-decode -q --restore-name many.lpx --output-dir back
diff -r files back || die "differs"
no_leftovers
