# A misspelt tool gets a suggestion; what is far from all of them gets none.
for word in trian-vae Train-vae sample encode inspekt hlep molecules; do
  logpx $word
  echo "$word $?"
done
