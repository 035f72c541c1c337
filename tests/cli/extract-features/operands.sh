# Folders, arrays and tables are rows or features, as --extractor says.
mkdir photos
picture() { { printf 'P5 4 3 255\n'; head -c 12 /dev/zero | tr '\0' "$2"; } > "photos/$1.pgm"; }
picture a '\001'; picture b '\002'; picture c '\377'
extract-features photos -o f.h5 --extractor pixels --json -q | grep -E '"(n|d|extractor)"'
extract-features photos -o g.h5 --extractor random-conv:3:2 --gray-to-rgb --json -q | grep -E '"(n|d)"'
printf 'a,b\n1,2\n3,4\n5,7\n' > named.csv
printf '1,2\n3,4\n5,7\n' > plain.csv
for table in named plain; do
  extract-features $table.csv -o $table.h5 --json -q | grep -E '"(n|d|extractor)"'
done
npy() {  # shape, then bytes
  local header="{'descr': '|u1', 'fortran_order': False, 'shape': ($1), }"
  printf '\223NUMPY\001\000\166\000%-117s\n' "$header"
}
{ npy '2, 4, 3'; head -c 24 /dev/zero | tr '\0' '\100'; } > two.npy
extract-features two.npy -o t.h5 --extractor pixels --json -q | grep -E '"(n|d)"'
extract-features two.npy photos -o u.h5 --extractor pixels -q || echo "exit $?"
extract-features photos -o v.h5 --extractor pixels --rows 1: --json -q | grep '"n"'
make-data digits -n 20 --size 8 -o d.h5 -q
extract-features d.h5 -o - --extractor pixels -q | inspect - -q | grep '"n"'
extract-features - -o w.h5 --extractor pca:2 -q < d.h5 && inspect w.h5 -q | grep '"n"'
