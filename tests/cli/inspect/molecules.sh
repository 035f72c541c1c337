# What molecules are is shown in words.
make-data molecules --min-atoms 2 --max-atoms 3 -n 40 -o mol.h5 -q
inspect -q --check mol.h5 > report.json
grep '"mol_' report.json
grep '"molecules": \[' report.json
grep -A 8 '"path": "/data' report.json | grep -v stored
