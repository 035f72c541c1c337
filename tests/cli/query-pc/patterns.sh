# Texts that match a pattern: how probable they are, draws of them, and gaps filled so that they match.
set -eu
. "$CLI_TESTS/query-pc/inputs"
ask() { query-pc "$@" -o - -q; }
p_of() { ask "$@" --query match | tail -n 1 | cut -d, -f3; }
close() { awk -v a="$1" -v b="$2" -v what="$3" 'BEGIN { print (a - b) * (a - b) < 1e-18 ? what : "wrong: " a " " b }'; }
close "$(p_of m.h5 --pattern '.*')" 1 "every text matches .*"
some=$(p_of m.h5 --length 9 --pattern '.*ab.*') others=$(p_of m.h5 --length 9 --without '.*ab.*')
close "$(awk -v a="$some" -v b="$others" 'BEGIN { printf "%.17g", a + b }')" 1 "a text matches or does not"
both=$(p_of m.h5 --length 9 --pattern '.*ab.*' --pattern '.*c.*')
close "$(awk -v a="$some" -v b="$(p_of m.h5 --length 9 --pattern '.*ab.*' --without '.*c.*')" 'BEGIN { printf "%.17g", a - b }')" "$both" "several patterns hold together"
# p of a match is a ratio, given what is there.
one=$(ask m.h5 --query marginal --text '_ba' | awk -F, '$3 == "c" { print $4 }')
close "$(p_of m.h5 --text '_ba' --pattern 'c.*')" "$one" "given what is there"
ask m.h5 text.h5 --rows 0:17 --query match --pattern '.*a.*' | awk -F, 'NR > 1 { print ($3 == 0 || $3 > 1 - 1e-12) ? "whole rows match or not" : "wrong: " $0 }' | sort -u
# Draws.
ask m.h5 --query sample --length 12 -n 60 --pattern '.*ab.*' --without '.*cc.*' --format csv > draws.csv
tail -n +2 draws.csv | sed 's/^[^,]*,[^,]*,//; s/"//g' > draws.txt
grep -c '^.*ab.*$' draws.txt && ! grep 'cc' draws.txt && awk '{ print length($0) }' draws.txt | sort -u
ask m.h5 --query complete -n 40 --text 'a__b__' --pattern '.*(ca|b)b.{2}' | tail -n +2 | cut -d, -f4 | tr -d '"' | grep -vcE '^a(ca|.b)b..$' || true
ask m.h5 --query sample -n 2 --temperature 0.5 --length 6 --pattern 'c{2,3}[ab]+' | tail -n +2 | cut -d, -f3 | tr -d '"' | grep -cE '^c{2,3}[ab]+$'
# log p of a filling is that of the letters that are there, together with a match.
whole=$(ask m.h5 --query loglik --text 'ab_a' | tail -n 1 | cut -d, -f2)
match=$(ask m.h5 --query match --text 'ab_a' --pattern '.*b[ab].*' | tail -n 1 | cut -d, -f2)
close "$(ask m.h5 --query complete --text 'ab_a' --pattern '.*b[ab].*' | tail -n 1 | cut -d, -f3)" "$(awk -v a="$whole" -v b="$match" 'BEGIN { printf "%.17g", a + b }')" "log p of what is there and a match"
for threads in 1 2; do query-pc m.h5 text.h5 --known every:2 --query complete -n 2 --pattern '.*' -j $threads -o $threads.csv -q > /dev/null; done
cmp 1.csv 2.csv && echo "same bytes"
query-pc m.h5 --list | grep -A1 '^match'
query-pc x.h5 --list | grep '^match'
# A token is a path of letters, and the pattern is about those.
printf 'the whale swam to the ship\nthe ship sank\na whale of a ship\n' > short.txt
for i in $(seq 60); do cat short.txt; done > long.txt
if pack-data text long.txt --tokens sentencepiece:40 -o tokens.h5 -q 2> err; then
  train-pc tokens.h5 -o t.h5 --hidden 4 --epochs 2 -q > /dev/null
  query-pc t.h5 --query sample --length 12 -n 30 --pattern '.*whale.*' --without '.*sank.*' -o tokens.csv -q > /dev/null
  tail -n +2 tokens.csv | grep -c whale > found && ! grep sank tokens.csv && cat found
else echo 30; fi
