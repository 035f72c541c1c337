# Rows that cannot be compared, sizes that there are not, and options that do nothing are refused.
set -u
. "$CLI_TESTS/fid-extrapolate/inputs"
try() { fid-extrapolate "$@" -q > /dev/null || echo "exit $?"; }
cut -d , -f 1-3 fake.csv > narrow.csv
sed '3s/,.*/,nan,1,1/' fake.csv > nan.csv
sed '3s/,.*/,x,1,1/' fake.csv > word.csv
head -n 1 fake.csv > one.csv
awk 'NR <= 20 { print "1,2,3,4" }' fake.csv > constant.csv
: > empty.csv
for file in narrow nan word one constant empty; do try real.csv $file.csv; done
try real.csv fake.csv --sizes 100,150,201
try real.csv fake.csv --sizes 1,100,200
try real.csv fake.csv --sizes 100,200
try real.csv fake.csv --sizes 100:200
try real.csv fake.csv --sizes many
try real.csv fake.csv --subset disjoint
try real.csv fake.csv --subset prefix --repeats 2
try real.csv fake.csv --kid-mode subsets
try real.csv fake.csv --kid-subsets 10
try real.csv fake.csv --metrics fid --kid-degree 2
try real.csv fake.csv --metrics fib
try real.csv fake.csv --metrics is
try real.csv fake.csv --metrics prdc --neighbours 200
try real.csv fake.csv --bootstrap 1
try real.csv fake.csv --level 2
try real.csv fake.csv fake.csv fake.csv
try real.csv
try
printf '%s\n' 5,11 10,8 > two.csv
printf '%s\n' 5,11 10,8 20.5,7 > part.csv
try --scores two.csv
try --scores part.csv
try --scores real.csv
try real.csv fake.csv --scores two.csv
try --scores two.csv --repeats 2
mkdir photos
try photos photos
