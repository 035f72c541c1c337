# An artifact is no report: both kinds are named, and where a report comes from.
make-data digits -n 4 -o digits.h5 -q
plot-report digits.h5 -o a.svg
status=$?
[ ! -e a.svg ] || echo "a chart was made"
exit $status
