# Tools that compute nothing link neither BLAS nor MPI: loading those takes longer than such a tool runs.
computes='libopenblas|libmpi|libdnnl'
for tool in inspect make-data pack-data plot-report view-samples; do
  libraries=$(ldd "$(command -v "$tool")")
  if grep -E "$computes" <<< "$libraries"; then echo "$tool loads what it does not need"; exit 1; fi
done
# The words are right: a tool that computes has them.
libraries=$(ldd "$(command -v train-vae)")
grep -q libopenblas <<< "$libraries"

# It has the threads that it was asked for, and none of those that OpenBLAS starts for itself.
pipe=$(mktemp -u)
mkfifo "$pipe"
bits-back-encode --fallback-only -q -j 1 < "$pipe" > /dev/null &
exec 9> "$pipe"
rm "$pipe"
echo words >&9
threads=
for ((try = 0; try < 100; try++)); do # until it waits for more
  threads=$(awk '$1 == "State:" { state = $2 } $1 == "Threads:" && state == "S" { print $2 }' "/proc/$!/status")
  [ "$threads" != 1 ] || break
  sleep 0.05
done
exec 9>&-
wait
[ "$threads" = 1 ] || { echo "a tool of one thread has others"; exit 1; }

# A decoder links neither in the packages, and yet opens the archives of each family's models.
decoder=$(dirname "$(command -v inspect)")/../alone/bits-back-decode
libraries=$(ldd "$decoder")
if grep -E "$computes|liblogpx" <<< "$libraries"; then echo "the lone decoder loads what it does not need"; exit 1; fi
for archive in tests/archives/[a-z]*/*.lpx; do
  sum=$("$decoder" -q --trust-embedded-model "$archive" -o - | sha256sum)
  grep -q "^${sum%% *}" "${archive%/*}/sha256" || { echo "the lone decoder: $archive differs"; exit 1; }
done
