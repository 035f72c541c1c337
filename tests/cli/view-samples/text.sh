# Text, bytes and tables go to stdout, and a table packed again holds the same rows.
make-data hmm-text -n 20 --length 12 -o text.h5 -q
view-samples text.h5 --limit 3 | grep -cE '^[a-z ]{12}$'
make-data shapes2d ring8 -n 20 -o ring.h5 -q
view-samples ring.h5 --rows 2:4
make-data mixture -n 20 --dim 3 -o mix.h5 -q
view-samples mix.h5 --limit 20 | cut -d, -f1-3 > rows.csv
pack-data csv rows.csv -o again.h5 -q
view-samples again.h5 > again.csv
cmp rows.csv again.csv && echo same
