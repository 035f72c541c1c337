# Molecules are shown as text: atoms, then bonds; drawings of them have no pixels.
make-data molecules --min-atoms 1 --max-atoms 3 --elements C,O -o mol.h5 -q
view-samples mol.h5:train --limit 8
view-samples mol.h5 -o mol.png
echo $?
