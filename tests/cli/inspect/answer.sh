# The answer on stdout: kind, hash, attributes, splits, tables with type, shape and range.
make-data hmm-text -n 100 --length 12 --split train:80,test:20 -o text.h5 -q
inspect text.h5 > report.json
sed -n '/"result"/,$p' report.json
validate-json "$REPO/scripts/schema/report.json" report.json
