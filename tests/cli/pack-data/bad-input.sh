# What is wrong with foreign files: exit code and message, and never an output.
set -u
. "$CLI_TESTS/pack-data/inputs"
try() {
  pack-data "$@" -o x.h5 -q
  echo "$? $1 $2"
  [ ! -e x.h5 ] || echo "x.h5 is there"
}
gzip -kn images.idx
head -c 30 images.idx.gz > cut.gz
{ cat images.idx.gz; printf 'twelve bytes'; } > more.gz
{ head -c -1 images.idx.gz; printf '\1'; } > sum.gz
printf '\211PNG\r\n\032\n' > picture
head -c 31 images.idx > short
printf '\0\0\010\003\0\0\0\004\0\0\0\0\0\0\0\002' > zero
printf '\0\0\010\001\0\0\0\003abc' > labels
head -c 9218 /dev/zero > batch
{ printf '\377'; head -c 3072 /dev/zero; } > label
mkdir sizes words empty
printf 'P5 2 1 255\nab' > sizes/a.pgm
printf 'P5 1 2 255\nab' > sizes/b.pgm
echo words > words/x.txt
printf "\\223NUMPY\\1\\0\\066\\0{'descr': '|O', 'fortran_order': False, 'shape': (1,)}\\n12345678" > o.npy
printf 'a,b\n1,2\n3\n' > ragged.csv
printf 'a,b\n1,\n' > hole.csv
printf 'one caf\303\251' > a.txt
try idx nothing.gz
try idx cut.gz
try idx sum.gz
try idx more.gz
try idx picture
try idx short
try idx zero
try idx images.idx --labels labels
try cifar10 batch
try cifar10 label
try images sizes
try images words
try images empty
try npy o.npy
try csv ragged.csv
try csv hole.csv --missing error
try text a.txt
try idx images.idx --split train:70
try auto a.txt
