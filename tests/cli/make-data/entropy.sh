# The report states the exact entropy where there is one.
make-data bars -n 50 -o a.h5 --json -q | grep -A4 "\"entropy\""
make-data digits -n 50 -o b.h5 --json -q | grep -c "\"entropy\"" || true
