# Entropies, distances to another model, and likelihoods less what parameters cost.
set -eu
. "$CLI_TESTS/query-pc/inputs"
ask() { query-pc "$@" -o - -q; }
cell() { awk -F, -v name="$1" -v field="$2" '$1 == name { print $field }'; }
near() { awk -v a="$1" -v b="$2" -v e="$3" -v what="$4" 'BEGIN { print ((a - b) * (a - b) <= e * e) ? what : "wrong: " a " " b }'; }
# H(x) by all rows, and by draws within four errors of that.
ask m.h5 --query entropy --length 3 > exact.csv && cut -d, -f1,4 exact.csv
ask m.h5 --query entropy --length 3 --enumerate-limit 10 --samples 4000 > drawn.csv && tail -n 1 drawn.csv | cut -d, -f1,4
exact=$(cell H_x 2 < exact.csv)
near "$(cell H_x 2 < drawn.csv)" "$exact" "$(cell H_x 3 < drawn.csv | awk '{ print 4 * $1 }')" "draws are near"
awk -v joint="$(cell H_xz 2 < exact.csv)" -v alone="$exact" 'BEGIN { print (joint > alone) ? "states add to it" : "wrong" }'
[ "$(ask m.h5 --query entropy --length 3 --enumerate-limit 10 --samples 4000 -j 1)" = "$(cat drawn.csv)" ] && echo "same bytes"
# Another model of the same form, and of another one.
train-pc text.h5 -o n.h5 --hidden 4 --factors 2,2 --epochs 1 -q
ask m.h5 --query inner --other n.h5 --length 4 > inner.csv && wc -l < inner.csv
ask n.h5 --query inner --other m.h5 --length 4 > renni.csv
near "$(sed -n 2p inner.csv | sed 's/.*,//')" "$(sed -n 2p renni.csv | sed 's/.*,//')" 1e-12 "either way round"
near "$(ask m.h5 --query inner --other m.h5 | tail -n 1 | sed 's/.*,//')" 0 1e-12 "no distance to itself"
ask m.h5 --query kl --other n.h5 --samples 500 | sed -n 2p | awk -F, '{ print ($(NF - 2) > -3 * $(NF - 1)), $NF }'
ask m.h5 --query kl --other m.h5 --samples 10 | sed -n 2p | awk -F, '{ print $(NF - 2) }'
# 3 states, 27 letters: 2 + 3 * 2 + 3 * 26 free parameters.
ask m.h5 text.h5 --query aic > aic.csv && cut -d, -f1,3 aic.csv
total=$(ask m.h5 text.h5 --query loglik | awk -F, 'NR > 1 { s += $2 } END { printf "%.17g", s }')
near "$(sed -n 2p aic.csv | cut -d, -f4)" "$(awk -v l="$total" 'BEGIN { printf "%.17g", 2 * 86 - 2 * l }')" 1e-9 "aic"
near "$(ask m.h5 text.h5 --query bic | sed -n 2p | cut -d, -f4)" "$(awk -v l="$total" 'BEGIN { printf "%.17g", 86 * log(17) - 2 * l }')" 1e-9 "bic"
# score-edit: log p of every text with one letter changed.
ask m.h5 --query score-edit --text abc > edits.csv && wc -l < edits.csv
near "$(awk -F, '$2 == 1 && $3 == "z" { print $4 }' edits.csv)" "$(ask m.h5 --query loglik --text azc | sed -n 2p | cut -d, -f2)" 1e-9 "an edit is another text"
# The expectation of a function of letters.
printf 'value,f\na,1\nb,1\n' > ab.csv
ask m.h5 --query expect --function ab.csv --text 'a_c' > f.csv && tail -n 1 f.csv | cut -d, -f2
near "$(tail -n 1 f.csv | cut -d, -f3)" "$(ask m.h5 --query marginal --text 'a_c' | awk -F, '$3 == "a" || $3 == "b" { s += $4 } END { printf "%.17g", s + 1 }')" 1e-12 "f of all letters"
printf 'column,value,f\nx0,0,2\nx1,1,-1\n' > columns.csv
ask x.h5 --query expect --function columns.csv --vars x0,x1,x2 | awk -F, 'NR > 1 { print $2, ($3 != 0) }'
# Single precision.
near "$(ask m.h5 --query loglik --text abcabc --dtype f32 | sed -n 2p | cut -d, -f2)" "$(ask m.h5 --query loglik --text abcabc | sed -n 2p | cut -d, -f2)" 1e-4 "f32 is near"
ask m.h5 --query complete --text 'ab__' --dtype f32 | wc -l
echo "what is refused"
try() { query-pc "$@" -q > /dev/null 2>> err || echo "exit $?"; }
try m.h5 --query inner --other x.h5
try m.h5 --query kl
train-pc text.h5 -o mix.h5 --structure mixture --hidden 2 --epochs 1 -q > /dev/null
try m.h5 --query inner --other mix.h5
try m.h5 --query match --pattern a --dtype f32
try m.h5 --query loglik --text ab --other x.h5
printf 'value,f\nA,1\n' > bad.csv
try m.h5 --query expect --function bad.csv --text 'a_'
printf 'column,value,f\nx9,1,1\n' > bad.csv
try x.h5 --query expect --function bad.csv
printf 'value,f\n1,one\n' > bad.csv
try x.h5 --query expect --function bad.csv
cat err >&2
