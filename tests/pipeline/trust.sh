# `make trust` counts what was kept and what was lost: with the tools as they are nothing is; a decoder that says nothing
# of damage and gives other bytes is found out, and the exit status says so.
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bin=$(dirname "$(command -v inspect)")
trust() { "$root/scripts/trust" "$1" "$folder/out" tiny 2 "${@:2}" > "$folder/log" 2>&1; }

TMPDIR=$folder trust "$bin" little_memory || { cat "$folder/log"; exit 1; }
grep -qE '^\| memory is limited .* \| ([1-9][0-9]*) \| \1 \| 0 \| [0-9]+ \|$' "$folder/out/table.md"
[ "$(ls "$folder")" = "$(printf 'log\nout')" ] # nothing else is left

mkdir "$folder/liars" "$folder/liars/bin"
for tool in "$bin"/*; do ln -s "$tool" "$folder/liars/bin/"; done
ln -s "$bin/../test-bin" "$folder/liars/test-bin"
rm "$folder/liars/bin/bits-back-decode"
printf '#!/bin/sh\nwhile [ $# -gt 0 ]; do [ "$1" != -o ] || echo other > "$2"; shift; done\n' > "$folder/liars/bin/bits-back-decode"
chmod +x "$folder/liars/bin/bits-back-decode"
if trust "$folder/liars/bin" damaged_archives; then echo "a liar is believed"; exit 1; fi
grep -qE '^\| an archive is damaged \| ([1-9][0-9]*) \| 0 \| \1 \|' "$folder/out/table.md"
grep -qE '^- damaged_archive bits-back-decode .*: .*other bytes, and exit 0$' "$folder/out/table.md"
if trust "$bin" no_such_fault; then echo "a fault that there is not is tried"; exit 1; fi
