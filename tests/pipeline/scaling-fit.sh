# The fit of a table finds the law by which its numbers were made up, also where nothing is left at any cost, says how
# far points lie from it, and refuses fewer than four costs.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
points() { # A B C OFF: points of the law, every other one OFF above it and as many below
  awk -v a="$1" -v b="$2" -v c="$3" -v off="$4" \
    'BEGIN { for (F = 256; F <= 1e7; F *= 4) { printf "%d %.12f\n", F, a + b * F ^ -c + off; off = -off } }'
}
is() { # EXPECTED GIVEN TOLERANCE
  awk -v expected="$1" -v given="$2" -v most="$3" 'BEGIN {
    n = split(expected, e, " "); split(given, g, " ")
    for (i = 1; i <= n; i++) if ((e[i] - g[i]) ^ 2 > most ^ 2) exit 1
  }' || { echo "expected $1, not $2"; exit 1; }
}
fit=scripts/recipes/scaling-fit
is '2 8 0.25 0' "$(points 2 8 0.25 0 | $fit)" 0.0002
is '1.5 3 0.11 0' "$(points 1.5 3 0.11 0 | $fit)" 0.0002
is '0 4 0.05 0' "$(points 0 4 0.05 0 | $fit)" 0.0002
is '2 8 0.25 0.001' "$(points 2 8 0.25 0.001 | $fit)" 0.05
[ "$(points 2 8 0.25 0.001 | $fit | cut -d ' ' -f 4)" != 0.0000 ]
# What falls without an end in sight does not end below 0.
[ "$(awk 'BEGIN { for (F = 256; F <= 1e7; F *= 4) print F, 4 - 0.15 * log(F) }' | $fit | cut -d ' ' -f 1)" = 0.0000 ]
# No curve comes nearer to the points than the one that is printed.
points 2 8 0.25 0.02 > "$folder/given"
read -r a b c off <<< "$($fit < "$folder/given")"
for change in '0.01 0 0' '-0.01 0 0' '0 0.1 0' '0 -0.1 0' '0 0 0.005' '0 0 -0.005'; do
  read -r da db dc <<< "$change"
  awk -v a="$a" -v b="$b" -v c="$c" -v off="$off" -v da="$da" -v db="$db" -v dc="$dc" '
    { sum += ($2 - a - da - (b + db) * $1 ^ -(c + dc)) ^ 2 }
    END { exit !(sqrt(sum / NR) > off) }' "$folder/given" || { echo "nearer by $change"; exit 1; }
done
points 2 8 0.25 0 | head -n 3 | $fit > "$folder/none" 2> "$folder/said" && { echo "a fit of three points"; exit 1; }
grep -qx 'scaling-fit: error: 3 costs, at least four are needed' "$folder/said"
