# An archive is looked into by another tool, and the hint says which, and how.
seq 100 > numbers.txt
bits-back-encode numbers.txt -q
inspect numbers.txt.lpx
echo "exit $?"
inspect - < numbers.txt.lpx
echo "exit $?"
