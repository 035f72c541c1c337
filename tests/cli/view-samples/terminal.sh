# A picture is not written to a terminal.
command -v script > /dev/null || { echo "no script(1)" >&2; exit 77; }
make-data digits -n 60 --size 14 -o digits.h5 -q
script -qec 'view-samples digits.h5 -o - 2> message' /dev/null < /dev/null
echo $?
cat message
