# The front door completes its words, its tools, and what follows a tool as the tool itself does.
logpx --candidates tr | cut -f 1
logpx --candidates train-v; logpx --candidates help sample-m
logpx --candidates doctor ''; echo "doctor takes nothing: $?"
logpx --candidates make-data sh | cut -f 1
logpx --candidates train-vae --preset p | cut -f 1
logpx --candidates nothing ''; echo "quiet: $?"
for shell in bash zsh fish; do
  logpx --generate complete-$shell > script && grep -c logpx script > /dev/null && ! grep inspect script
done
logpx --generate complete-bash > logpx.bash
. ./logpx.bash
ask() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
  _logpx_logpx
  echo "$*: ${COMPREPLY[*]}"
}
ask logpx d
ask logpx train-vae --likelihood = b
