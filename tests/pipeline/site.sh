# The documents as a site: every link is followed, no page asks the network for anything, and what leads nowhere is said.
command -v python3 mandoc cmark-gfm > /dev/null || { echo "python3, mandoc or cmark-gfm is not here"; exit 0; }
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$root/scripts/make-man" "$(dirname "$(command -v inspect)")" "$folder/man"
"$root/scripts/site" "$folder/man" "$folder/out" > "$folder/log" || { cat "$folder/log"; exit 1; }
site=$folder/out/site
[ "$(find "$site/manuals" -name '*.[1357].html' | wc -l)" = "$(find "$folder/man" -type f | wc -l)" ]
grep -q '<a href="../manuals/pack-data.1.html">' "$site/manuals/logpx.7.html"
grep -q '<a href="manuals/logpx-tutorial.7.html"' "$site/index.html"
grep -q '<a class="skip" href="#content">' "$site/design/libcore-families-vae.html"

wrong() { # PAGE HTML COMPLAINT
  cp "$site/$1" "$folder/kept"
  echo "$2" >> "$site/$1"
  if "$root/scripts/site" --check "$site" 2> "$folder/log"; then echo "not found: $3"; exit 1; fi
  grep -qF "site: $1: $3" "$folder/log" || { cat "$folder/log"; exit 1; }
  mv "$folder/kept" "$site/$1"
}
wrong speed.html '<a href="nowhere.html">' 'nowhere.html leads nowhere'
wrong speed.html '<a href="index.html#nowhere">' 'index.html#nowhere: there is no such place'
wrong index.html '<img src="pictures/plane.png">' 'a picture without words: pictures/plane.png'
wrong index.html '<img alt="x" src="https://example.org/x.png">' 'asks the network for https://example.org/x.png'
