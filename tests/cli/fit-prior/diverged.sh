# A run whose energies run away ends with status 4, names the component, and leaves no model.
make-data bars -n 60 -o bars.h5 -q
fit-prior bars.h5 -o m.h5 --preset tiny --lr 1e30 --steps 20 -q
echo "exit $?"
ls m.h5 2> /dev/null
true
