# Files of other programs are named, with the command that takes them.
printf '\211PNG\r\n\032\n' > 'a picture.png'
printf '\377\330\377\340' > photo.jpg
printf 'P5 2 2 255\nabcd' > small.pgm
printf '\223NUMPY\1\0' > array.npy
printf 'PK\003\004' > arrays.npz
printf '\0\0\010\003\0\0\0\004' > train-images
printf 'words\n' | gzip > words.gz
printf 'a,b\n1,2\n3,4\n' > table.csv
printf 'plain words,\nof which there are more\n' > words.txt
printf 'words' | tar -cf words.tar words.txt
bits-back-encode --fallback-only words.txt -q
printf '{"schema": "logpx.report/1"}' > report.json
printf 'BMW, a car; P5, a word\n' > car.txt
printf '\1\2\3\4' > noise
for file in *; do
  [ "$file" != facts ] || continue
  inspect "$file" > facts
  echo "$file $?"
done
inspect - < table.csv
