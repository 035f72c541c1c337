# Clusters find the groups of a table with many columns, and wide tables are trained without them, or
# refused.
set -u
numbers() { # rows, columns: two groups, of which ten numbers lie around 3 and -3, and the others tell nothing
  awk -v rows="$1" -v columns="$2" 'BEGIN { for (c = 1; c <= columns; ++c) printf "c%d%s", c, c < columns ? "," : "\n"
    for (r = 0; r < rows; ++r) for (c = 1; c <= columns; ++c) { seed = (seed * 16807 + 11) % 2147483647
      printf "%.3f%s", (c > 10 ? 0 : r % 2 ? 3 : -3) + seed / 2147483647 - 0.5, c < columns ? "," : "\n" } }'
}
numbers 120 40 > groups.csv && pack-data csv groups.csv -o groups.h5 -q
train-pc groups.h5 -o m.h5 --trees 0 --blocks 1 --block-states 9 --epochs 20 -q
sample-model m.h5 -n 200 -o - | awk -F, 'NR > 1 { if ($7 > 2 && $7 < 4) ++up; else if ($7 < -2 && $7 > -4) ++down; else ++none }
  END { print (up > 60), (down > 60), none + 0 }'
numbers 20 1025 > wide.csv && pack-data csv wide.csv -o wide.h5 -q
train-pc wide.h5 -o w.h5 --trees 1 --hidden 2 --mi-bins 2 --epochs 1 -q && inspect w.h5 -q | jq -c '[.. | objects | .blocks? // empty | numbers] | first'
train-pc wide.h5 -o w.h5 --trees 1 --hidden 2 --mi-bins 2 --blocks 2 --epochs 1 -q --force || echo "exit $?"
numbers 3 17000 > wider.csv && pack-data csv wider.csv -o wider.h5 -q
train-pc wider.h5 -o w.h5 -q --force || echo "exit $?"
