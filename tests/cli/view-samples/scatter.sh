# Points of the plane have a picture; other rows need --dims, and text has none.
make-data shapes2d ring8 -n 50 -o ring.h5 -q
view-samples ring.h5 -o ring.png
view-samples ring.h5 -o classes.png --labels -q
cmp -s ring.png classes.png || echo coloured
make-data mixture -n 50 --dim 3 -o mix.h5 -q
view-samples mix.h5 -o mix.png
echo $?
view-samples mix.h5 -o mix.png --dims 0,3
echo $?
view-samples mix.h5 -o mix.png --dims 2,0
