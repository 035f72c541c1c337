# Quantiles are those of the density, whatever file it comes from and whatever file they go to.
printf '0,0\n1,2\n' | sample-its --density - -n 5 -o x.csv
wc -l < x.csv
printf '0\n0.0625\n0.25\n0.5625\n1\n' > u.csv
printf '0,0\n1,2\n' > d.csv
sample-its --density d.csv --interpolate linear --u-file u.csv -o - -q | awk 'NR > 1 { printf "%.10f\n", $1 }'
# its square, by the logarithm of the line
awk 'BEGIN { print "z,log_density"; for (i = 0; i <= 1000; ++i) print i / 1000 "," (i ? log(i) : "-inf") }' > log.csv
sample-its --density log.csv --log --u-file u.csv -o - -q | awk 'NR > 1 { printf "%.4f\n", $1 * $1 }'
printf '0,30\n1,10\n3,\n' > h.csv
printf '0.375\n0.75\n0.875\n' > v.csv
sample-its --density h.csv --histogram --u-file v.csv -o - -q | awk 'NR > 1 { printf "%.6f\n", $1 }'
sample-its --density d.csv -n 100 -o a.csv -q
sample-its --density d.csv -n 100 -o a.npy -q
sample-its --density d.csv -n 100 -o a.h5 -q
sample-its --density d.csv --u-file a.h5 -o b.csv -q
cmp a.csv b.csv
sample-its --density d.csv --format npy -n 100 -o - -q | cmp - a.npy
tail -c 800 a.npy | od -A n -v -t f8 -w8 | awk '{ printf "%.10f\n", $1 }' > npy.txt
awk 'NR > 1 { printf "%.10f\n", $1 }' a.csv | cmp - npy.txt
inspect a.h5 -q | jq -c '.result.attributes | [.family, .n, .dims]'
