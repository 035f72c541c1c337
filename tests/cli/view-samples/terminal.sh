# A picture is not written to a terminal.
. "$CLI_TESTS/terminal"
make-data digits -n 60 --size 14 -o digits.h5 -q
script -qec 'view-samples digits.h5 -o - 2> message' /dev/null < /dev/null
echo $?
cat message
