# What the hint of an error says works.
. "$CLI_TESTS/hints"
printf '0,1\n1,2\n' > h.csv
printf '0,1\n1,2\n2,\n' > mended.csv
follow_by 'sample-its --density mended.csv --histogram -o a.csv' sample-its --density h.csv --histogram -o a.csv
