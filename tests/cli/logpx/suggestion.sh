# A misspelt tool gets a suggestion; what is far from all of them gets none.
# Names are all that it takes: stand-ins of the tools, which start at once.
bin=$(dirname "$(command -v inspect)")
mkdir here && cp "$bin/logpx" here
for tool in $("$REPO/scripts/list-tools" "$bin"); do
  printf '#!/bin/sh\necho "%s - a tool"\n' "$tool" > "here/$tool" && chmod +x "here/$tool"
done
for word in trian-vae Train-vae sample encode inspekt hlep molecules; do
  here/logpx $word
  echo "$word $?"
done
