# The second SMILES of every member, by number; molecules that are not characterized left out.
set -u
for tool in curl bzip2; do
  command -v $tool > /dev/null || { echo "$tool is not installed" >&2; exit 77; }
done
mkdir mirror xyz
molecule() { # NUMBER ATOMS SMILES...
  {
    echo "$2"
    printf 'gdb %d\t157.7\t-40.4\n' "$1"
    for _ in $(seq "$2"); do printf 'C\t0.0\t1.0\t-0.5\t-0.1\n'; done
    printf '1341.3\t1341.4\n%s\t%s\nInChI=1S/a\tInChI=1S/b\n' "$3" "$4"
  } > "xyz/dsgdb9nsd_$(printf %06d "$1").xyz"
}
molecule 10 2 'C#N' 'CN#'
molecule 2 3 N '[NH3]'
molecule 3 1 O '[OH2]'
(cd xyz && tar -cjf ../mirror/dsgdb9nsd.xyz.tar.bz2 -- *_000010.xyz *_000002.xyz *_000003.xyz)
printf '=====\n   Index   Smiles   E\n      3    O  O  x\n     3054 compounds\n' > mirror/uncharacterized.txt
for file in dsgdb9nsd.xyz.tar.bz2 uncharacterized.txt; do
  echo "qm9 $file - md5=$(md5sum < mirror/$file | cut -d ' ' -f 1) file://$PWD/mirror"
done > table
sh "$REPO/scripts/fetch-data" --table table --to got --drop-uncharacterized qm9 2> /dev/null
echo "exit $?"
cat got/qm9/qm9.csv
