# Two runs on one target whose processes have the same number, as in two containers: each archive that
# appears is whole. Until then it is for its owner alone.
. "$CLI_TESTS/bits-back-encode/setup"
alone=(unshare --user --map-root-user --pid --fork --kill-child)
"${alone[@]}" true 2> /dev/null || { echo "no process namespaces here" >&2; exit 77; }
encode() {
  "${alone[@]}" bits-back-encode --fallback-only -q -f - -o out.lpx < "$1"
}
waiting() {  # until so many temporaries are there
  for _ in $(seq 100); do
    [ "$(find . -name '.out.lpx.tmp.*' | wc -l)" = "$1" ] && return
    sleep 0.05
  done
  die "no $1 temporaries"
}
noise 300000 > small
noise 900000 > big
mkfifo one two
encode one & first=$!
exec 8> one
head -c 200000 small >&8
waiting 1
encode two 8>&- & second=$!  # it must not keep the first one waiting
exec 9> two
head -c 500000 big >&9
waiting 2
[ "$(find . -name '.out.lpx.tmp.*' -perm 600 | wc -l)" = 2 ] || die "readable by others"
tail -c +200001 small >&8
exec 8>&-
wait $first || die "the first fails"
bits-back-decode -q out.lpx -o - | cmp - small || die "not the first's archive"
tail -c +500001 big >&9
exec 9>&-
wait $second || die "the second fails"
bits-back-decode -q out.lpx -o - | cmp - big || die "not the second's archive"
[ "$(stat -c %a out.lpx)" = "$(printf %o $((0666 & ~$(umask))))" ] || die "mode $(stat -c %a out.lpx)"
no_leftovers
