# A header that may be a row, words that mean missing and whole numbers that would be rounded are
# noticed, and the option that helps is named where one is needed.
printf '5.1,3.5\n4.9,3.0\n' > bare.csv
pack-data csv bare.csv -o bare.h5
pack-data csv bare.csv --no-header -o rows.h5
printf 'a,b\n1,2\n?,3\nn/a,4\n' > holes.csv
pack-data csv holes.csv -o kept.h5
pack-data csv holes.csv --missing error -o holes.h5
echo "exit $?"
pack-data csv holes.csv --na '?,n/a' --missing drop-row -o holes.h5
pack-data csv holes.csv --categorical auto -o words.h5
printf 'id,x\n16777216,0.5\n16777217,1.5\n' > ids.csv
pack-data csv ids.csv --categorical auto -o ids.h5
echo "exit $?"
pack-data csv ids.csv -o ids.h5
