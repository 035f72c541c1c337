# The front door lists every tool that is there, under one of its stages.
# Names are all that it takes: stand-ins of the tools, which start at once.
bin=$(dirname "$(command -v inspect)")
mkdir here && cp "$bin/logpx" here
"$REPO/scripts/list-tools" "$bin" | sort > tools
while read -r tool; do
  printf '#!/bin/sh\necho "%s - a tool"\n' "$tool" > "here/$tool" && chmod +x "here/$tool"
done < tools
here/logpx | sed -n 's/^  \([^ ][^ ]*\) .*/\1/p' | sort > listed
diff tools listed
