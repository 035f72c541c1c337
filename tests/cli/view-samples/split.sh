# A split that is not there is a data error that lists those that are.
make-data digits -n 60 --size 14 -o digits.h5 -q
view-samples digits.h5:tset -o a.png
echo $?
view-samples digits.h5:test --rows 0:99 -o a.png
echo $?
