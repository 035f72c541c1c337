# Where the module of RDKit is not installed, molecules are shown as atoms and bonds; SMILES and drawings are refused.
make-data molecules --max-atoms 3 -n 4 -o mol.h5 -q
mkdir -p elsewhere/bin && cp "$(command -v view-samples)" elsewhere/bin
elsewhere/bin/view-samples mol.h5 || echo "exit $?"
elsewhere/bin/view-samples mol.h5 --as graph | wc -l
elsewhere/bin/view-samples mol.h5 -o sheet.svg || echo "exit $?"
[ ! -e sheet.svg ] || echo "a picture was made"
