# The picture is a PNG; a name that promises something else is refused.
make-data digits -n 4 -o digits.h5 -q
view-samples digits.h5 -o sheet.jpg
status=$?
[ ! -e sheet.jpg ] || echo "a picture was made"
exit $status
