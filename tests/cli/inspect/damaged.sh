# Truncated, foreign, empty and missing files are told apart.
make-data digits -n 30 --size 8 -o a.h5 -q
head -c 2000 a.h5 > cut.h5
inspect cut.h5
echo "exit $?"
: > empty.h5
inspect empty.h5
echo "exit $?"
printf '\211PNG\r\n\032\n' > picture.png
inspect picture.png
echo "exit $?"
inspect none.h5
echo "exit $?"
echo '{"a": 1' > broken.json
inspect broken.json
echo "exit $?"
printf '{\n  "a": 1\n}\n' > other.json
inspect other.json
echo "exit $?"
head -c 2000 a.h5 | inspect -
echo "exit $?"
inspect a.h5:train
echo "exit $?"
inspect -vv cut.h5
echo "exit $?"
