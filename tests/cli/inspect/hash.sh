# --hash prints the content hash alone; it is the same for two equal runs, and for stdin.
make-data digits -n 30 --size 8 -o a.h5 -q
unset SOURCE_DATE_EPOCH
make-data digits -n 30 --size 8 -o b.h5 -q
cmp -s a.h5 b.h5 || echo 'files differ by their stories'
[ "$(inspect -q --hash a.h5)" = "$(inspect -q --hash b.h5)" ] && echo 'same content'
[ "$(inspect -q --hash - < a.h5)" = "$(inspect -q --hash a.h5)" ] && echo 'same from stdin'
inspect --hash a.h5 2> err | grep -cxE '[0-9a-f]{64}'
cat err
