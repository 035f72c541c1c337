# Each archive says the version that it has, and logpx-archive(5) names all that are read and the two that are written.
. "$CLI_TESTS/bits-back-encode/setup"
listed() { bits-back-decode --list -v "$1" 2> err | sed -n 's/^  version \([0-9.]*\),.*/\1/p' | sort -u; }
older=''
page=$(tr '\n' ' ' < "$REPO/man/logpx-archive.5")
for folder in "$REPO"/tests/archives/[0-9]*; do
  version=${folder##*/}
  for archive in "$folder"/*.lpx; do
    [ "$(listed "$archive")" = "$version" ] || die "$archive: says version $(listed "$archive")"
  done
  older="$version, $older"
done
older=${older%, }
older="${older%, *} and ${older##*, }"
[[ $page = *"Archives of versions $older are read as well"* ]] || die "the manual does not say that $older are read"
echo words > words
"${fallback[@]}" --effort fast words -o fast.lpx
"${fallback[@]}" words -o normal.lpx
[[ $page = *"This is version $(listed normal.lpx), and $(listed fast.lpx) where the effort is fast"* ]] || die "the manual names other versions"
[[ $page = *"major 2 and minor $(listed normal.lpx | cut -d. -f2), or $(listed fast.lpx | cut -d. -f2) with effort fast"* ]] ||
  die "the table of the header names other versions"
make-data molecules --max-atoms 3 -o mol.h5 -q
train-arm mol.h5 -o mol.arm.h5 --preset tiny --steps 2 -q
bits-back-encode mol.arm.h5 --dataset mol.h5 --as-set --model-only -o set.lpx -q
[[ $page = *"where blocks of the model are sets it is $(listed set.lpx)."* ]] || die "the manual names another version of sets"
