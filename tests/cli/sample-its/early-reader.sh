# Samples are text: a reader that leaves early has seen enough, and that is exit 0.
set -u
printf 'z,density\n0,0\n1,2\n2,1\n' > density.csv
sample-its --density density.csv -n 200000 -o - | head -n 1
sample-its --density density.csv -n 1e9 -o - | head -n 1
# An array is not: what is cut off is an error.
sample-its --density density.csv -n 200000 -o - --format npy | head -c 6 > start
echo "exit ${PIPESTATUS[0]}"
