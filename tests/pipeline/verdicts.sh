# Every verdict of the experiments can turn out either way: each table is written from made-up numbers with which all
# of its verdicts hold, and from others with which none does. A file of verdicts/ has the numbers of a table, a function
# for each part; what differs is written GOOD|BAD. A verdict that nobody has tried both ways fails the test.
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export VERDICT_PLACES=$folder/places LC_ALL=C

# What tables ask of tools, by made-up ones: charts are empty, and provenance lies beside its model.
mkdir "$folder/bin"
cat > "$folder/bin/plot-report" << 'END'
#!/bin/sh
while [ "$1" != -o ]; do shift; done
: > "$2"
END
cat > "$folder/bin/inspect" << 'END'
#!/bin/sh
cat "$1.said" 2> /dev/null || echo '{"result": {"attributes": {"source_kind": "file", "name": "made-up"}}}'
END
chmod +x "$folder/bin/"*
PATH=$folder/bin:$PATH

# Lines FILE, KEY=VALUE... with tabs between them as lines FILE, OBJECT; a point in a key goes down into the object, and
# a further object follows a slash.
objects() {
  jq -Rr --argjson bad $bad 'split("\t") | .[0] as $file | reduce .[1:][] as $word ([{}];
    if $word == "/" then . + [{}] else ($word | capture("^(?<key>[^=]*)=(?<value>.*)$")) as $one |
      .[:-1] + [.[-1] | setpath($one.key | split("."); $one.value | split("|") | .[$bad] // .[0] | try fromjson catch .)] end) |
    [$file, (.[] | tojson)] | join("\t")'
}
# A table has hundreds of such files, and a jq for each would take most of the time: they wait for made_up.
made() { # FILE KEY=VALUE... [/ KEY=VALUE...]
  local IFS=$'\t'
  echo "$*" >> "$folder/waiting"
}
made_up() {
  local file lines
  while IFS=$'\t' read -r file lines; do echo "${lines//$'\t'/$'\n'}" > "$file"; done < <(objects < "$folder/waiting")
  : > "$folder/waiting"
}
report() { # NAME KEY=VALUE...: of the result
  local values=("${@:2}")
  made "$here/$1.json" "${values[@]/#/result.}"
}
said() { # MODEL KEY=VALUE...: what inspect says of its settings
  local values=("${@:2}")
  made "$here/$1.h5.said" "${values[@]/#/config.}"
}
history() { # MODEL KEY=VALUE... [/ KEY=VALUE...]: a line of its training, and further ones
  : > "$here/$1.h5"
  made "$here/$1.history.jsonl" "${@:2}"
}
bytes() { # FILE COUNT|BAD-COUNT
  local counts
  IFS='|' read -ra counts <<< "$2"
  head -c "${counts[$bad]:-${counts[0]}}" /dev/zero > "$here/$1"
}

# Writes the table of a part from both kinds of numbers, and looks at what it says of them.
try() { # PART SCALE [FURTHER]
  local dir
  for bad in 0 1; do
    dir=$folder/$table-$1-$bad here=$folder/$table-$1-$bad/$1
    mkdir -p "$here"
    "$1"
    made_up
    "$root/scripts/recipes/$table" "$1" "$dir" made-up.h5 "$2" "${@:3}" 2> "$folder/log" ||
      { cat "$folder/log"; echo "$table $1: failed"; exit 1; }
    grep -q '^- \(pass\|\*\*fail\*\*\): ' "$here/table.md" || { echo "$table $1: no verdict"; exit 1; }
    ! grep "^- $([ $bad = 0 ] && echo '\*\*fail\*\*' || echo pass): " "$here/table.md" ||
      { echo "$table $1: with $([ $bad = 0 ] && echo good || echo bad) numbers"; exit 1; }
  done
}
for table in "$root"/scripts/recipes/*-table; do
  table=$(basename "$table")
  . "$root/tests/pipeline/verdicts/$table"
done

# Each place of a verdict has said both.
(cd "$root/scripts/recipes" && grep -nE '^[^#]*\bclaim ' ./*-table*) | sed -E 's|^\./([^:]*:[0-9]+):.*|\1|' > "$folder/claims"
awk 'NR == FNR { said[$1 " " $2]; next }
  !(($1 " pass") in said) { print $1 ": no made-up numbers make it pass"; untried = 1 }
  !(($1 " **fail**") in said) { print $1 ": no made-up numbers make it fail"; untried = 1 }
  END { exit untried }' "$VERDICT_PLACES" "$folder/claims"

# What RESULTS.md says of a claim of the papers is a verdict that some table gives, of a target that there is.
(cd "$root" && scripts/list-targets Makefile scripts/recipes/*.mk) | cut -f 1 > "$folder/targets"
while IFS=$'\t' read -r _ place _ part target key; do
  [ "$target" != - ] || continue
  grep -qx -e "$target" "$folder/targets" || { echo "claims: $place: there is no target $target"; exit 1; }
  grep -qF -e "($key)" -e " $key \"" -e " '$key' " -e " \"$key\" " "$root/scripts/recipes/${part%% *}-table"* ||
    { echo "claims: $place of $part: no table gives a verdict of $key"; exit 1; }
done < <(grep -v '^#' "$root/scripts/recipes/claims")
