# What the hint of an error says works.
. "$CLI_TESTS/hints"
given make-data hmm-text -n 60 --length 8 -o text.h5
given make-data bars -n 60 -o bars.h5
given train-vae bars.h5 -o vae.h5 --preset tiny --steps 5
given train-pc text.h5 -o m.h5 --hidden 2 --epochs 1
printf 'size,n\nsmall,0\nbig,2\nsmall,1\nbig,0\n' > t.csv
given pack-data csv t.csv --categorical auto -o c.h5
given train-pc c.h5 -o x.h5 --structure hclt --hidden 2 --em-rule full --steps 3
FILL[DATA]=text.h5
follow query-pc m.h5
follow query-pc m.h5 text.h5 --text ab
follow query-pc m.h5 text.h5 --query validate
follow query-pc m.h5 --text ab --format h5 -o rows
follow query-pc m.h5 --query export
follow query-pc m.h5 text.h5 --query impute -o filled.csv
follow query-pc x.h5 t.csv --query impute
follow query-pc x.h5 t.csv --query viterbi
follow query-pc m.h5 text.h5 --prune-states 1
follow query-pc m.h5 --text a_ --query complete --how mean
FILL[REGEX]='.*a.*'
follow query-pc m.h5 --query match
follow query-pc m.h5 --text a_ --query complete --how mpe --pattern 'a.'
follow query-pc x.h5 --query sample --pattern '0.*'
follow_by 'query-pc m.h5 --text ab --known every:2' query-pc m.h5 --text ab --known rows:0-1
FILL[C]=#
follow query-pc m.h5 --text 'a#b'
remedy='train-pc text.h5 -o c.pc.h5 --hidden 2 --epochs 1 --force &&'
follow_by "$remedy query-pc c.pc.h5 text.h5" query-pc vae.h5 bars.h5
{ echo id,word; for i in $(seq 30); do echo "i$i,w$((i % 3))"; done; } > ids.csv
given pack-data csv ids.csv -o ids.h5
given train-pc ids.h5 -o ids.pc.h5 --structure hclt --hidden 2 --steps 3
follow_by 'query-pc ids.pc.h5 ids.csv --keep id' query-pc ids.pc.h5 ids.h5 --keep id
follow query-pc x.h5 t.csv --query complete --keep n --format h5 -o rows
follow_by "query-pc x.h5 --query loglik --given 'size=small|big'" query-pc x.h5 --query loglik --given 'size>small'
follow_by 'query-pc x.h5 t.csv --known size,n' query-pc x.h5 t.csv --known cols:0-1
FILL[NAME=VALUE]=size=small
follow query-pc x.h5 --query probability
awk 'BEGIN { print "a,b"; for (i = 0; i < 60; ++i) printf "%.2f,%.2f\n", i / 10, (i * 7 % 60) / 10 }' > ab.csv
printf '%s' '{"variables": [{"name": "a"}, {"name": "b"}], "root": "ab", "blocks": [{"id": "ab", "type": "leaf", "vars": [0, 1], "dist": "gaussian", "size": 1, "params": [[3, 3, 1, 0.5, 1]]}]}' > ab.json
given pack-data csv ab.csv -o ab.h5
given train-pc ab.h5 -o ab.pc.h5 --structure file:ab.json --steps 0
follow_by "query-pc ab.pc.h5 --query loglik --given 'a>1,b=2'" query-pc ab.pc.h5 --query loglik --given 'a>1,b>2'
follow_by "query-pc ab.pc.h5 --query probability 'a>1'" query-pc ab.pc.h5 --query probability a=1
printf 'sise,n\nsmall,0\n' > sise.csv
follow_by "sed -i s/sise/size/ sise.csv && query-pc x.h5 sise.csv" query-pc x.h5 sise.csv
given cp t.csv text.csv
follow_by "query-pc m.h5 text.h5" query-pc m.h5 text.csv
given make-data tree -n 30 --dim 1000 -o wide.h5
given train-pc wide.h5 -o wide.pc.h5 --structure hclt --hidden 2 --em-rule full --steps 1
follow query-pc wide.pc.h5 --query export -o circuit --format dot
given make-data gauss -n 60 -o reals.h5
given train-pc reals.h5 -o reals.pc.h5 --preset tiny --steps 5
follow query-pc reals.pc.h5 reals.h5 --query next
given make-data scenes -n 20 --size 8 -o rgb.h5
given train-pc rgb.h5 -o colours.h5 --hidden 2 --steps 2 --batch 10 --transform ycocg-r
follow query-pc colours.h5 rgb.h5 --query anomaly
follow query-pc colours.h5 rgb.h5 --known rows:0-1 --query complete --how mean
seq 3000 > numbers.txt
if given_if_built pack-data text numbers.txt --tokens sentencepiece:300 -o tokens.h5; then
  given train-pc tokens.h5 -o tokens.pc.h5 --hidden 2 --epochs 1
  seq 9 > few.txt
  follow_by 'pack-data text few.txt --tokens tokens.h5 -o few.h5 && query-pc tokens.pc.h5 few.h5' query-pc tokens.pc.h5 --text 12
fi
