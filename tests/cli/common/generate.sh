# What is generated holds: the manual's options, three completions, the description.
. "$CLI_TESTS/common/setup"
expect 0 "$TOOL" --generate man
sed -e 's/\\-/-/g' -e 's/\\fB//g' out > manual
expect 0 "$TOOL" --generate describe
grep -q '"name": "--seed"' out || die "the description has no --seed"
# Every option that is described is in the manual; switches that are on are there as --no-x too.
grep -A 6 '"name": "--' out | awk -F '"' '/"name"/ { name = $4 } /"rank"/ && $4 != "set_only" { print name }' > names
[ "$(wc -l < names)" -ge 15 ] || die "the description lists only $(wc -l < names) options"
manual=$(< manual)
while read -r name; do
  [[ $manual == *"$name"* ]] || die "the manual has no $name"
done < names
# Every word of every choice says what it means.
bare=$(jq -r '.options[] | select(.words) | select(([.texts[] | select(. != "")] | length) != (.words | length)) | .name' out)
[ -z "$bare" ] || die "words without a text: $bare"
expect 0 "$TOOL" --generate complete-bash
mv out complete.bash
bash -u -c '. ./complete.bash
  COMP_WORDS=('"$TOOL"' --se) COMP_CWORD=1; _logpx_'"${TOOL//-/_}"'
  [[ " ${COMPREPLY[*]} " == *" --seed "* ]] || { echo no --seed; exit 1; }
  COMP_WORDS=('"$TOOL"' --color n) COMP_CWORD=2; _logpx_'"${TOOL//-/_}"'
  [ "${COMPREPLY[*]}" = never ] || { echo "no never: ${COMPREPLY[*]}"; exit 1; }
  touch "a file.json" "a file.txt"; COMP_WORDS=('"$TOOL"' --config "a f") COMP_CWORD=2; _logpx_'"${TOOL//-/_}"'
  [ "${COMPREPLY[*]}" = "a file.json" ] || { echo "no file by suffix: ${COMPREPLY[*]}"; exit 1; }' || die "bash completion"
expect 0 "$TOOL" --generate complete-zsh
if command -v zsh > /dev/null; then zsh -n out || die "zsh completion"; fi
expect 0 "$TOOL" --generate complete-fish
if command -v fish > /dev/null; then fish --no-execute out || die "fish completion"; fi
