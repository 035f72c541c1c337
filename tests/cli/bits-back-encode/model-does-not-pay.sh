# Where a model codes nothing of a file the shorter archive is kept, a line says so, and the report names no model.
. "$CLI_TESTS/bits-back-encode/setup"
fixture make vae.h5 vae4 || exit 77
# A drawing of 0 and 1, which the coder without a model knows better.
{ printf '\0\0\010\003\0\0\0\050\0\0\0\100\0\0\0\100'; awk 'BEGIN {
  for (n = 0; n < 40; n++) for (y = 0; y < 64; y++) for (x = 0; x < 64; x++)
    printf "%c", ((x - 30) ^ 2 + (y - 31) ^ 2 < 100 + 9 * n) ? "1" : "0" }' | tr 01 '\0\1'; } > drawing.idx
expect 0 fixture encode vae.h5 drawing.idx --report r.json
says "drawing.idx.lpx: the model coded no block; the archive does not need it"
grep -q '"model_identity": null' r.json || die "the report names a model"
if grep -q '"bound_kind"' r.json; then die "the report names a bound"; fi
expect 0 "${fallback[@]}" drawing.idx -o plain.lpx
cmp plain.lpx drawing.idx.lpx || die "is not what the coder without a model makes"
[ "$(stat -c %s plain.lpx)" -lt 8000 ] || die "0 and 1 are not seen as bits"
expect 0 bits-back-decode -q drawing.idx.lpx -o back.idx
cmp drawing.idx back.idx || die "differs"
# Tiles of the model's size may happen to suit a file: then it keeps the model, and is no longer than without.
noise 3000 > noise
expect 0 fixture encode vae.h5 noise --embed-model
says "noise.lpx: the model coded no block"
expect 0 "${fallback[@]}" noise -o plain.lpx --force
[ "$(stat -c %s noise.lpx)" -le "$(stat -c %s plain.lpx)" ] || die "the longer was kept"
no_leftovers
