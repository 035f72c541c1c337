# Tools that compute nothing link neither BLAS nor MPI: loading those takes longer than such a tool runs.
computes='libopenblas|libmpi|libdnnl'
for tool in inspect make-data pack-data plot-report view-samples; do
  libraries=$(ldd "$(command -v "$tool")")
  if grep -E "$computes" <<< "$libraries"; then echo "$tool loads what it does not need"; exit 1; fi
done
# The words are right: a tool that computes has them.
libraries=$(ldd "$(command -v train-vae)")
grep -q libopenblas <<< "$libraries"
