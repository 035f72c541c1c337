# --known hides parts of rows that are there, and they are asked for.
set -eu
. "$CLI_TESTS/query-pc/inputs"
ask() { query-pc "$@" -q -o -; }
make-data digits -n 40 --size 14 -o p.h5 -q
train-pc p.h5 -o p.pc.h5 --structure hclt --hidden 2 --dictionary 0 --em-rule full --steps 1 -q
# The part that is given stays, and log p is that of the part.
query-pc p.pc.h5 p.h5 --rows 0:3 --known rows:0-6 --query complete -n 2 -o halves.h5 -q > halves.json
printf '%s\n' "$(for i in $(seq 0 97); do printf '1,'; done; for i in $(seq 98 195); do printf '0,'; done)" | sed 's/,$//' > mask.csv
query-pc p.pc.h5 p.h5 --rows 0:3 --known mask.csv --query complete -n 2 -o masked.h5 -q > masked.json
jq -c '[.result.answers[].log_p]' halves.json > one && jq -c '[.result.answers[].log_p]' masked.json | cmp one - && echo "a mask says the same"
query-pc p.pc.h5 p.h5 --rows 0:1 --known cols:0-13 -o - -q | cmp - <(query-pc p.pc.h5 p.h5 --rows 0:1 -o - -q) && echo "all of it"
# Of pictures in colour all channels of these rows.
make-data scenes -n 20 --size 8 -o rgb.h5 -q
train-pc rgb.h5 -o rgb.pc.h5 --structure mixture --hidden 2 --leaf dlogistic --steps 2 --batch 20 -q
query-pc rgb.pc.h5 rgb.h5 --rows 0:1 --known rows:0-3 --query complete -o upper.h5 -q > /dev/null
upper_half() {  # of the one picture of a dataset, enlarged
  view-samples "$1" --rows 0:1 -o sheet.png -q --force
  pack-data images sheet.png --crop 0,0,132,66 -o sheet.h5 -q --force
  inspect sheet.h5 --hash -q
}
[ "$(upper_half rgb.h5:test)" = "$(upper_half upper.h5)" ] && echo "the upper half stays"
# Of text, too.
ask m.h5 --text abba --known every:2 | cmp - <(ask m.h5 --text a_b_) && echo "every other"
try() { query-pc "$@" -q > /dev/null || echo "exit $?"; }
try m.h5 --query sample --known every:2
try m.h5 --text ab --known rows:0-1
try p.pc.h5 p.h5 --known rows:0-14
try p.pc.h5 p.h5 --known rows:3-1
try p.pc.h5 p.h5 --known every:0
try p.pc.h5 p.h5 --known absent.csv
printf '1,0,1\n' > short.csv
try p.pc.h5 p.h5 --known short.csv
tr 1 2 < mask.csv > twos.csv
try p.pc.h5 p.h5 --known twos.csv
