# A name that is no dataset is a usage error with a suggestion; molecules are not made here.
make-data digitz -o a.h5
echo $?
make-data molecules -o a.h5
echo $?
ls
