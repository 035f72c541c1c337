# Where the module of RDKit is not installed, molecules are shown as text, and drawing them is refused.
make-data molecules --max-atoms 3 -n 4 -o mol.h5 -q
mkdir -p elsewhere/bin && cp "$(command -v view-samples)" elsewhere/bin
elsewhere/bin/view-samples mol.h5 | wc -l
elsewhere/bin/view-samples mol.h5 -o sheet.svg || echo "exit $?"
[ ! -e sheet.svg ] || echo "a picture was made"
