# What the hint of an error says works.
. "$CLI_TESTS/hints"
follow make-data bars -n 12 --split a:0-8,b:6-12 -o d.h5
given make-data bars -n 12 -o d.h5
follow make-data bars -n 12 -o d.h5
follow make-data bars -n 12 -o nowhere/d.h5
follow_by "make-data --help-all" make-data digits --zzqqxx -o n.h5
follow_by "make-data --help-all" make-data digits more words -o n.h5
follow_by "make-data --help-all" make-data digits -n 3
follow make-data digits -n 3 -o digits.csv
