# What the hint of an error says works.
. "$CLI_TESTS/hints"
printf '0,1\n1,2\n' > h.csv
printf '0,1\n1,2\n2,\n' > mended.csv
follow_by 'sample-its --density mended.csv --histogram -o a.csv' sample-its --density h.csv --histogram -o a.csv
# of a model
given make-data bars -n 60 -o bars.h5
given fit-prior bars.h5 -o k.h5 --preset tiny --steps 2
follow sample-its k.h5 -n 5 --decode -o z.csv
