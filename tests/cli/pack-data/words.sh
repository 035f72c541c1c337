# Columns of words come back as words; tools say what such a table is, and refuse what does not fit it.
set -u
printf 'kind,legs,colour\ndog,4,red\ncat,4,"blue, pale"\nbird,2,\ncat,,red\n' > pets.csv
pack-data csv pets.csv --categorical auto --missing keep -o pets.h5
view-samples pets.h5
view-samples pets.h5 > again.csv
pack-data csv again.csv --categorical kind,colour --missing keep --name csv -o again.h5 -q
[ "$(inspect --hash pets.h5)" = "$(inspect --hash again.h5)" ] || echo "the words were packed to something else"
inspect pets.h5 -q | sed -n '/"columns"/,/^    ]/p'
inspect --check pets.h5 -q | grep checked
for i in $(seq 30); do sed 1d pets.csv | sed '3,4d'; done | sed '1i kind,legs,colour' > whole.csv
pack-data csv whole.csv --categorical auto -o whole.h5 -q
train-vae whole.h5 -o gauss.h5 --preset tiny --likelihood gaussian -q
echo "exit $?"
train-vae whole.h5 -o m.h5 --preset tiny --likelihood categorical -q
sample-model m.h5 -n 3 -o s.h5 -q
view-samples s.h5 | sed -n 1p
# A likelihood that knows of five levels may draw a colour that has no word.
view-samples s.h5 | grep -cE '^(cat|dog|[0-9]),[0-9],(red|"blue, pale"|[0-9])$'
sed 's/dog/eel/' whole.csv > other.csv
pack-data csv other.csv --categorical auto -o other.h5 -q
elbo-eval m.h5 other.h5 -q
echo "exit $?"
elbo-eval m.h5 whole.h5 -q > report.json
echo "exit $?"
pack-data csv pets.csv --categorical name -o no.h5
echo "exit $?"
pack-data csv pets.csv --columns legs --categorical kind -o no.h5
echo "exit $?"
pack-data csv pets.csv --categorical kind --missing keep -o no.h5
echo "exit $?"
pack-data csv pets.csv --categorical auto -o no.h5
echo "exit $?"
pack-data csv pets.csv --categorical auto --missing keep --standardise -o no.h5
echo "exit $?"
# Words beside real numbers: all values are real ones, those of words their numbers.
printf 'kind,height,legs\ndog,60.5,4\ncat,30,4\n,-1,2\ndog,,4\n' > mixed.csv
pack-data csv mixed.csv --categorical auto --missing keep -o mixed.h5 -q
view-samples mixed.h5 | cmp - mixed.csv
inspect --check mixed.h5 -q | jq -c '.result | [.checked, .attributes.content, .attributes.measure, .attributes.levels], .columns'
pack-data csv mixed.csv --categorical auto --missing keep --standardise -o unit.h5 -q
inspect unit.h5 -q | jq -c '[.result.columns[] | .deviation]'
pack-data csv mixed.csv --categorical auto --missing drop-row -o whole.h5 -q --force
train-vae whole.h5 -o no.h5 --preset tiny --likelihood gaussian -q
echo "exit $?"
pack-data csv mixed.csv --categorical auto --missing keep --content symbols -o no.h5
echo "exit $?"
[ ! -e no.h5 ] || echo "no.h5 is there"
