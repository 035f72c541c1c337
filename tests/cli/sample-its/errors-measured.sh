# The report says how exact samples are: exact to 1e-10, hermite to 1e-4, nodes not at all.
awk 'BEGIN { for (i = 0; i <= 40; ++i) { z = i / 10 - 2; print z "," exp(-z * z) + 0.2 } }' > d.csv
for its in exact hermite cells nodes; do
  sample-its --density d.csv -n 5000 --its $its -o x.npy --force -q --report r.json 2> err
  jq -c '[.result.method, .result.qmc, .result.n, .result.domain_min, .result.domain_max,
    .result.u_error_max < 1e-10, .result.u_error_max < 1e-4, .result.u_error_max < 2e-3]' r.json
  cat err
  rm r.json
done
unset SOURCE_DATE_EPOCH
sample-its --density d.csv -n 5000 -o x.npy --force -q --json |
  jq -c '.result | keys, (.seconds >= 0 and .setup_seconds >= 0 and .samples_per_second > 0)'
