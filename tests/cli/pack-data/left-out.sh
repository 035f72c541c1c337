# What is left out is in the summary line and in the warnings; a picture of another size is not "bad".
set -u
mkdir d
printf 'P5 3 1 255\nodd' > d/0.pgm
for i in 1 2 3; do printf 'P5 2 1 255\nab' > d/$i.pgm; done
echo words > d/4.txt
pack-data images d --skip-bad -o x.h5
echo "exit $?"
summary() { sed 's/ -> .*//' err; }
pack-data images d --skip-bad --size 2x1 --fit reject -o x.h5 --json 2> err | sed -n '/"warnings"/,/]/p'
summary
printf 'a,b\n1,2\n,3\n4,\n5,6\n' > t.csv
pack-data csv t.csv --missing drop-row -o t.h5 --json 2> err | sed -n '/"warnings"/,/]/p'
summary
