# A picture in the input folder is an input: not replaced, not even with --force.
mkdir pictures
printf 'P5 2 2 255\nabcd' > pictures/a.pgm
cp pictures/a.pgm before
status=0
pack-data images pictures -o pictures/../pictures/a.pgm --force || status=$?
cmp before pictures/a.pgm
exit $status
