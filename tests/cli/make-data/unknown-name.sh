# A name that is no dataset is a usage error that lists them, with a suggestion.
make-data digitz -o a.h5
echo $?
make-data molecules -o a.h5
echo $?
ls
