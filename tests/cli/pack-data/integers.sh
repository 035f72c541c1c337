# Whole numbers of npy stay whole; those that no dataset holds become real, with a word.
set -u
npy() { printf "\\223NUMPY\\1\\0\\072\\0{'descr': '<i2', 'fortran_order': False, 'shape': (2, 2)}\\n" && printf "$1"; }
npy '\0\0\3\0\7\0\1\0' > small.npy
npy '\0\0\377\377\7\0\1\0' > signed.npy
for file in small signed; do
  pack-data npy $file.npy -o $file.h5 -q
  view-samples $file.h5
  inspect $file.h5 -q | grep -E '"(content|levels)"'
done
pack-data npy small.npy --content vector -o v.h5 -q && inspect v.h5 -q | grep '"content"'
