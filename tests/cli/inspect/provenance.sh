# --provenance prints how an artifact was made; it can be fed back as --config.
make-data digits -n 30 --size 8 -s 9 -o a.h5 -q
inspect -q --provenance a.h5 > story.json
grep -E '"(tool|seed|size)"' story.json
make-data --config story.json -o b.h5 -q
cmp a.h5 b.h5 && echo 'same bytes'
inspect --provenance --hash a.h5
echo "exit $?"
