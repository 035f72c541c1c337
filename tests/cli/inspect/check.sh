# --check finds a changed byte, and exits 3 without an answer.
make-data gauss -n 200 --dim 2 -o a.h5 -q
inspect --check a.h5 | grep checked
for at in $(seq 0 197 $(($(stat -c %s a.h5) - 1))); do
  cp a.h5 b.h5
  byte=$(dd if=a.h5 bs=1 skip="$at" count=1 status=none | od -An -tu1 | tr -d ' ')
  printf "\\$(printf %o $((byte ^ 1)))" | dd of=b.h5 bs=1 seek="$at" conv=notrunc status=none
  inspect -q --check b.h5 > out 2> err
  case $? in
    0) ;;                            # room that HDF5 keeps
    3) [ ! -s out ] || echo 'an answer, though damaged'; grep -c 'content hash does not match' err >> counts ;;
    *) echo "byte $at: exit $?"; cat err ;;
  esac
done
[ "$(grep -c 1 counts)" -ge 5 ] && echo 'content hash does not match'
