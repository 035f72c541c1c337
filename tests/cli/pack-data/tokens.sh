# --tokens: subword tokens in the place of letters. Their texts are the text, other texts take the tokens of a dataset, and
# elbo-eval says bits per character, whatever the tokens are.
set -eu
awk 'function below(k) { x = x * 69621 % 2147483647; return x % k }  # the same in every awk
BEGIN {
  x = 4
  n = split("the whale is white and the sea wide as its name été no land in sight for days", word, " ")
  for (i = 1; i <= 2500; i++) printf "%s%s", word[1 + below(n)], i % 11 == 0 ? "\n" : i % 7 == 0 ? "  " : " "
}' > book
if ! pack-data text book --tokens sentencepiece:60 --block 32 -o t.h5 -q 2> error; then
  cat error
  grep -q 'this build makes no tokens' error && exit 77
  exit 1
fi
text_of() { view-samples "$1" --limit 100000 -q | tr -d '\n' | sed 's/\\n/\n/g'; }
text_of t.h5 | cmp - <(cat book) && echo "the text comes back"
pack-data text book --tokens sentencepiece:60 --block 32 -o again.h5 -q && cmp t.h5 again.h5 && echo "the same tokens"
head -n 20 book > part
pack-data text part --tokens t.h5 --block 32 -o part.h5 -q
text_of part.h5 | cmp - part && echo "those of another text"
inspect t.h5 -q | jq -c '[.. | objects | select(.levels?) | .levels] | unique'
pack-data text book --tokens sentencepiece:40 --normalize text8 --split-chars train:600,test:200 -o s.h5 -q
text_of s.h5:train | wc -c
text_of s.h5:test | wc -c
# Bits are divided by characters.
train-pc t.h5 -o m.h5 --structure hmm --hidden 4 --steps 20 -q
elbo-eval m.h5 part.h5 -q > e.json 2> /dev/null
jq --argjson characters "$(LC_ALL=C tr -d '\200-\277' < part | wc -c)" \
  '.result | (.bits_per_char.value * $characters / .total_bits.value - 1 | fabs < 1e-9)' e.json
sample-model m.h5 -n 2 -o draws.h5 -q && view-samples draws.h5 -q | wc -l
query-pc m.h5 part.h5 --rows 0:1 --query next -o - -q | grep -c ' the'
# More than 256 are learned and measured; none of them is coded.
awk 'BEGIN { x = 5; for (i = 0; i < 20000; i++) printf "%c%s", 97 + (x = x * 69621 % 2147483647) % 26, i % 4 == 3 ? " " : "" }' > wide
pack-data text wide --tokens sentencepiece:300 --block 32 -o wide.h5 -q
train-pc wide.h5 -o wide.pc.h5 --structure hmm --hidden 4 --steps 5 -q
elbo-eval wide.pc.h5 wide.h5 -q 2> /dev/null | jq -r '.result.bits_per_char.unit'
try() { "$@" -q > /dev/null || echo "exit $?"; }
try bits-back-encode wide.pc.h5 wide -o no.lpx
try bits-back-encode m.h5 book -o no.lpx
try query-pc m.h5 --text 'the sea'
try elbo-eval m.h5 wide.h5
pack() { try pack-data text book -o no.h5 --tokens "$@"; }
pack words:60
pack sentencepiece:x
pack sentencepiece:8
pack sentencepiece:60000
pack-data text book --tokens sentencepiece:124 -o most.h5 -q && pack-data text book --tokens sentencepiece:20 -o least.h5 -q
pack sentencepiece:60 --alphabet auto
pack absent.h5
pack-data text part --alphabet auto -o letters.h5 -q
pack letters.h5
printf 'a\twhale\tin  sight\r\n\n\t\n' > odd
pack-data text odd --tokens sentencepiece:16 --block 4 -o odd.h5 -q
view-samples odd.h5 -q
printf 'the sea\nis \342\226\201\n' > reserved
try pack-data text reserved --tokens sentencepiece:30 -o no.h5
printf 'a whale #1\n' > foreign
try pack-data text foreign --tokens t.h5 -o no.h5
printf 'a\377b\n' > broken
try pack-data text broken --tokens t.h5 -o no.h5
ls no.* 2> /dev/null || true
