# A dataset comes through a pipe, a picture leaves through one.
make-data digits -n 60 --size 14 -o - -q | view-samples - -o - -q > sheet.png
make-data digits -n 60 --size 14 -o digits.h5 -q
view-samples digits.h5 -o want.png -q
cmp sheet.png want.png && echo same
