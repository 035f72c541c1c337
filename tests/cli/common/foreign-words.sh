# Options that users bring along from other programs get a word, and what it names is there.
. "$CLI_TESTS/common/setup"
expect 0 "$TOOL" --generate describe
awk -F '"' '$2 == "name" && $4 ~ /^--/ { print $4 }' out > options
printf '%s\n' --help --help-all --version >> options
sed -n '/"foreign_words"/,$p' out | awk -F '"' '$2 == "word" { word = $4 } $2 == "here" { print word, $4 }' > foreign
[ "$(wc -l < foreign)" -ge 20 ] || die "only $(wc -l < foreign) foreign words"
[ -z "$(cut -d ' ' -f 1 foreign | sort | uniq -d)" ] || die "twice: $(cut -d ' ' -f 1 foreign | sort | uniq -d)"
# What every tool refuses is one table: all of it is tried with inspect, and one word of it with each.
expect 0 inspect --generate describe
sed -n '/"foreign_words"/,$p' out | awk -F '"' '$2 == "word" { word = $4 } $2 == "here" { print word, $4 }' > shared
options=$'\n'$(< options)$'\n' shared=$'\n'$(< shared)$'\n'
while read -r word here; do
  [[ $options != *$'\n'"$word"$'\n'* ]] || die "$word is an option of its own"
  [ -z "$here" ] || [[ $options == *$'\n'"$here"$'\n'* ]] || die "$word: there is no $here"
  if [ "$TOOL" != inspect ] && [[ $shared == *$'\n'"$word $here"$'\n'* ]]; then
    [ -z "${tried-}" ] || continue
    tried=$word
  fi
  expect 2 "$TOOL" "${ARGS[@]}" "$word"
  said=$(< err) remedy="$TOOL: hint: "
  [ -z "$here" ] || remedy="(here it is $here)"
  [[ $said == *"unknown option $word"*"$remedy"* ]] || die "$word: no \"unknown option\" and \"$remedy\" in: $said"
done < foreign
expect 2 "$TOOL" "${ARGS[@]}" --sed 3
stderr_has "did you mean --seed?"
