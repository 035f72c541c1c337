# Files of odd names and odd contents come back as they were, mode and time too.
. "$CLI_TESTS/bits-back-encode/setup"
: > empty
printf x > one
head -c 300000 /dev/zero > zero
noise 300000 > random
printf 'P5 20 30 255\n' > "a picture.pgm"
noise 600 >> "a picture.pgm"
printf 'words' > 'new
line'
printf 'dash' > ./-dash
cp random $'caf\xc3\xa9 \xff'
chmod 640 one
touch -d '2001-02-03 04:05:06.789' one
mkdir before
for file in *; do [ -f "$file" ] && cp -p -- "$file" before/; done
expect 0 "${fallback[@]}" -- empty one zero random "a picture.pgm" 'new
line' -dash $'caf\xc3\xa9 \xff'
for file in before/*; do rm -- "./${file#before/}"; done
expect 0 bits-back-decode -q ./*.lpx
for file in before/*; do
  cmp -- "$file" "./${file#before/}" || die "differs: $file"
  [ "$(stat -c '%a %y' -- "$file")" = "$(stat -c '%a %y' -- "./${file#before/}")" ] || die "mode or time: $file"
done
[ "$(stat -c '%a %y' one.lpx)" = "$(stat -c '%a %y' one)" ] || die "the archive has another mode or time"
# Never larger than what is stored and a small head.
for file in empty one random; do
  [ "$(stat -c %s "$file.lpx")" -le $(($(stat -c %s $file) + 400)) ] || die "$file grew too much"
done
no_leftovers
