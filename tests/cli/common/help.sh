# --help: purpose first, examples, at most 80 columns and about 40 lines, on stdout, exit 0; -h is the same.
# COLUMNS says how wide it may be instead. --help-all prints every option.
unset COLUMNS
. "$CLI_TESTS/common/setup"
expect 0 "$TOOL" --help
[ ! -s err ] || die "help talks on stderr"
[ "$(sed -n '1s/ - .*//p' out)" = "$TOOL" ] || die "help does not start with '$TOOL - '"
grep -q '^usage: ' out || die "no usage"
grep -q '^examples:' out || die "no examples"
[ "$(awk 'length($0) > 80' out | wc -l)" = 0 ] || die "lines over 80 columns"
grep -qF -- "all options: $TOOL --help-all" out || die "help does not name --help-all"
[ "$(wc -l < out)" -le 42 ] || die "$(wc -l < out) lines of help, about 40 are wanted"
mv out long
expect 0 "$TOOL" -h
cmp -s out long || die "-h differs from --help"
expect 0 env COLUMNS=120 "$TOOL" --help
[ "$(awk 'length($0) > 120' out | wc -l)" = 0 ] || die "lines over 120 columns"
[ "$(wc -l < out)" -le "$(wc -l < long)" ] || die "wider help has more lines"
expect 0 env COLUMNS=60 "$TOOL" --help
[ "$(awk 'length($0) > 60 && !/^(usage: |       |  )'"$TOOL"'/' out | wc -l)" = 0 ] || die "lines over 60 columns"
expect 0 "$TOOL" --help-all
mv out whole
[ "$(awk 'length($0) > 80' whole | wc -l)" = 0 ] || die "--help-all: lines over 80 columns"
expect 0 "$TOOL" --generate describe
sed -n '/"options"/,/"foreign_words"/p' out |
  awk -F '"' '$2 == "name" { name = $4 } $2 == "key" { key = $4 }
    $2 == "rank" { print $4 == "set_only" ? "--set " key "=" : substr(name, 3) }' > names
[ "$(wc -l < names)" -ge 15 ] || die "the description lists only $(wc -l < names) options"
whole=$(< whole)
while read -r name; do
  [[ $whole == *"$name"* ]] || die "--help-all lacks $name"
done < names
