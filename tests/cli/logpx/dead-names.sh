# No help, manual, completion, hint or list names a tool that is not built, nor a format or family that
# is not there.
bin=$(dirname "$(command -v inspect)")
dead=
for name in fit-prior train-vae train-vdm train-pc train-arm sample-its sample-model elbo-eval query-pc \
  multiply-pc explain-prior prune-prior extract-features fid-extrapolate mol-metrics; do
  [ -x "$bin/$name" ] || dead="${dead:+$dead|}$name"
done
words='kaem|vdm|loarm|lo-arm|smiles|sentencepiece|diffusion|circuit|autoregressive'
failed=0
named() {  # where, pattern: reads text
  ! grep -inE "(^|[^a-z])($2)" | sed "s|^|$1: |" | grep . || failed=1
}
tools=$("$REPO/scripts/list-tools" "$bin")
for tool in $tools; do
  for text in '--help-all' '--generate man' '--generate describe' '--generate complete-bash' \
    '--generate complete-zsh' '--generate complete-fish'; do
    # shellcheck disable=SC2086
    "$tool" $text | named "$tool $text" "$dead|$words"
  done
  # Messages and hints lie in the program.
  tr -c '[:print:]' '\n' < "$bin/$tool" | named "$tool" "$dead|smiles|sentencepiece"
done
logpx | named logpx "$dead"
for page in "$REPO"/man/*.[1357]*; do
  sed -e 's/\\-/-/g' -e 's/\\f[BIRP]//g' "$page" | named "${page##*/}" "$dead|$words"
done
exit $failed
