# The front door: `make list` has every experiment and benchmark, with its time and its memory, and a scale that there is
# not is refused before anything is built.
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
door() { make --no-print-directory -C "$root" OUT="$folder/out" BUILD="$folder/build" DEPS=skip DATA_DIR= "$@"; }

door list > "$folder/list"
{ door -pnq list 2> "$folder/log" || true; } | grep -oE '^(reproduce|bench)-[a-z0-9-]+:' | tr -d : | sort -u > "$folder/targets"
[ "$(wc -l < "$folder/targets")" -gt 40 ]
while read -r target; do
  grep -qE "^$target +(< )?[0-9]+ (min|h) +[0-9.]+ GB  [A-Za-z0-9]" "$folder/list" || { echo "make list lacks $target"; exit 1; }
done < "$folder/targets"

for scale in huge 'tiny small' ''; do
  ! door reproduce-mnist SCALE="$scale" > "$folder/log" 2>&1 || { echo "SCALE=$scale is taken"; exit 1; }
  grep -q 'tiny small paper' "$folder/log" || { cat "$folder/log"; exit 1; }
  [ ! -e "$folder/build" ] && [ ! -e "$folder/out" ]
done
