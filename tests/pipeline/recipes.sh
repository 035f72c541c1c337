# The experiments end to end at SCALE=tiny, on built-in data: every recipe runs, its page or table is
# written, what was compressed comes back, and nothing is made twice.
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bin=$(dirname "$(command -v inspect)")
recipe() {
  make --no-print-directory -C "$root" -o build OUT="$folder" BIN="$bin" SCALE=tiny DEPS=skip DATA_DIR= "$@" \
    > "$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
}

recipe "$folder/mnist/tiny/index.html"
page=$folder/mnist/tiny/index.html
grep -q 'the built-in digits, which stand in for MNIST' "$page"
grep -q 'restored byte for byte' "$page"
grep -q '| bits-back-encode |' "$folder/mnist/tiny/table.md"
for picture in $(sed -n 's/.*<img src="\([^"]*\)".*/\1/p' "$page"); do test -s "$folder/mnist/tiny/$picture"; done
recipe "$folder/mnist/tiny/index.html"
! grep -q train-vae "$folder/log"

for part in bound-mnist bound-frey overfitting manifold iwae evidence gradients; do
  recipe "reproduce-vae-$part"
  test -s "$folder/vae/tiny/$part/table.md"
done
PATH="$bin:$PATH" "$root/scripts/recipes/vae-table" all "$folder/vae/tiny" "$folder/data/mnist-built-in-tiny.h5" 2> "$folder/log"
[ "$(grep -c '^- ' "$folder/vae/tiny/table.md")" -ge 8 ] # verdicts, whatever they are at this scale
