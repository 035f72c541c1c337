# What a person with a CSV can ask without an option: names and digits survive, the model is one circuit
# of columns as they are, and new numbers and words have a probability.
set -u
{ echo ',id,zip,day,share,pay,grade,unit'
  awk 'BEGIN { for (i = 0; i < 160; i++)
    printf "%d,%d,%05d,2024-%02d-%02d,%d%%,\"%d,%03d\",%d,7.5\n",
      i, 16777217 + 2 * i, 1234 + i % 3, 1 + i % 12, 1 + i % 28, i * 7 % 80, 1 + i % 3, i * 37 % 1000, i % 3 * 2 - 1 }'
} > t.csv
pack-data csv t.csv --split train:80%,test:rest -o t.h5 -q
inspect t.h5 -q | jq -c '.result.columns[] | [.name, .kind]'
view-samples t.h5 --limit 160 | cmp - <(cut -d, -f2- t.csv) && echo "names and digits came back"
train-pc t.h5 -o m.h5 --preset tiny -q
# Trained on 0 to 79 %: 80 is a number as any other; so is what lies below 0, which is no hole.
logp() { { head -n 1 t.csv; echo "$1"; } > row.csv; query-pc m.h5 row.csv --query loglik -o - -q | awk -F, 'NR == 2 { print $2 }'; }
known='0,16777219,01234,2024-03-01,40%,"1,037",1,7.5'
for row in "$known" "${known/40%/80%}" "${known/40%/-1%}" "${known/01234/99999}" "${known/7.5/8}"; do
  logp "$row" | awk '{ print ($1 > -1e6 && $1 < 1e6 ? "has a probability" : $1) }'
done
[ "$(logp "${known/,1,/,-1,}")" != "$(logp "${known/,1,/,,}")" ] && echo "-1 is no hole"
# A constant is worth nothing: its value is certain, and is no density.
rows() {
  pack-data csv t.csv --columns "$1" -o "$2.h5" -q && train-pc "$2.h5" -o "m$2.h5" --preset tiny -q
  query-pc "m$2.h5" "$2.h5" --query loglik -o - -q
}
paste -d, <(rows grade 1) <(rows grade,unit 2) | awk -F, 'NR > 1 { sum += $5 - $2 } END { print (sum / (NR - 1) > 0.05 ? "gains " sum : "a constant gains nothing") }'
# Drawn and filled cells are cells of their columns.
sample-model m.h5 -n 40 -o drawn.csv -q > /dev/null
tail -n +2 drawn.csv | grep -vcE '^[0-9]{8},0123[456],20[0-9]{2}-[0-9]{2}-[0-9]{2},-?[0-9]+%,("-?[0-9],[0-9]{3}"|-?[0-9]{1,3}),-?[0-9]+,7\.5$'
train-pc t.h5 -o x.h5 --structure hmm -q
echo "exit $?"
