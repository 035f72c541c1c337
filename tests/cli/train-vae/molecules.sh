# Molecules are no rows of numbers.
make-data molecules --max-atoms 3 -o mol.h5 -q
train-vae mol.h5 -o m.h5 --preset tiny
echo $?
