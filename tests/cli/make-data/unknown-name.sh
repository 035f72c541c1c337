# A name that is no dataset is a usage error that lists them, with a suggestion.
make-data digitz -o a.h5
echo $?
make-data circles -o a.h5
echo $?
ls
