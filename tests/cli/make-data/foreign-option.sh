# An option of another dataset is refused, and the owner is named; nothing is made.
make-data digits --cov iso -o a.h5
echo $?
make-data even --length 8 -o a.h5
echo $?
make-data gauss ring8 -o a.h5
echo $?
ls
