# Places are counted as datasets store a row: of a picture in colour the channels of a pixel side by side.
set -eu
{ for _ in $(seq 30); do echo 10,20,30,40,50,60; done; echo 10,20,30,40,77,60; } > rgb.csv
pack-data csv rgb.csv --no-header --shape 1,2,3 -o rgb.h5 -q
train-pc rgb.h5 -o m.h5 --structure mixture --hidden 2 --em-rule full --steps 3 -q
ask() { query-pc m.h5 "$@" -o - -q; }
likeliest() { ask "$@" --query marginal | tail -n +2 | sort -t, -k2,2n -k4,4gr | sort -t, -k2,2n -u -s; }
likeliest --vars 4,1 | cut -d, -f2,3
likeliest rgb.h5 --rows 0:1 --known every:2 | cut -d, -f2,3
ask --query conditional --vars 4,0 | head -n 1
ask --query expect --vars 1 | awk -F, 'NR > 1 { print $2, $3 > 19 && $3 < 30 }'
# The value that is odd is the fifth.
ask rgb.h5 --rows 30:31 --query anomaly | awk -F, '
  NR == 1 { for (i = 7; i <= NF; i++) name[i] = $i; next }
  { for (i = 7; i <= NF; i++) if ($i > most) { most = $i; odd = name[i] } print odd }'
ask rgb.h5 --rows 0:1 --query next | awk -F, 'NR > 1 && !seen[$2]++ { print $2 }' | paste -sd ' '
query-pc m.h5 --query marginal --vars 6 -q || echo "exit $?"
query-pc m.h5 --query marginal --vars 4,1,4 -q || echo "exit $?"
