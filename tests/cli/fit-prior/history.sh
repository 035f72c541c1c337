# Every line of the history has the terms that the manual lists.
make-data digits -n 60 --size 8 -o digits.h5 -q
fit-prior digits.h5 -o m.h5 --preset tiny --steps 4 --batch 10 --eval-every 2 -q
for key in step epoch samples_seen objective recon_sq_error ess ess_min resampled log_evidence_valid \
  log_evidence_valid_se outside grid_updates grid_rolled_back latent_dims; do
  [ "$(grep -c "\"$key\": " m.history.jsonl)" = 2 ] || echo "$key is not in both lines"
done
fit-prior digits.h5 -o c.h5 --preset tiny --steps 4 --batch 10 --eval-every 2 -q --posterior mala --eta 0.002 \
  --langevin-steps 4 --objective mle-pt --temps 3
for key in objective recon_sq_error accept eta swap_accept_1 swap_accept_2 log_evidence_valid outside; do
  [ "$(grep -c "\"$key\": " c.history.jsonl)" = 2 ] || echo "$key is not in both lines of chains"
done
