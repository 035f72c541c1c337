# A table keeps its names, holes by any word, and the places of its rows; what is not there is named.
set -u
printf '"temp, C",x,kind\n1,2,a\nNA,3,b\n4,5,a\n\n?,7,b\n8,9,a\n' > t.csv
pack-data csv t.csv --columns '"temp, C",x' --label-column kind --missing drop-row --na 'NA,?' -o t.h5 -q
view-samples t.h5
view-samples t.h5 > again.csv
pack-data csv again.csv --columns '"temp, C",x' -o again.h5 -q
view-samples again.h5
pack-data csv t.csv --columns '"temp, C",x' --missing error -o no.h5
echo "exit $?"
pack-data csv t.csv --columns temp -o no.h5
echo "exit $?"
pack-data csv t.csv --columns '"temp, C,x' -o no.h5
echo "exit $?"
pack-data csv t.csv --columns '"temp, C"' --missing keep --na 'NA,?' --shuffle-seed 3 -o s.h5 -q
view-samples s.h5 | sort -t, -k2,2n
inspect t.h5 -q | grep -o '"/[a-z/]*"'
inspect t.h5 -q | sed -n '/"columns"/,/]/p'
[ ! -e no.h5 ] || echo "no.h5 is there"
