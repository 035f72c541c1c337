# Fresh, resumed, found again, from the second address, wrapped otherwise, damaged: all over file://.
set -u
command -v curl > /dev/null || { echo "curl is not installed" >&2; exit 77; }
mkdir mirror
seq 1 20000 > mirror/numbers.txt
printf 'abc' > mirror/letters.bin
gzip -9 -n < mirror/numbers.txt > mirror/wrapped.gz
gzip -1 -n < mirror/numbers.txt > other.gz
md5=$(md5sum < mirror/numbers.txt | cut -d ' ' -f 1)
sha=$(sha256sum < mirror/letters.bin | cut -d ' ' -f 1)
blob=$(printf 'blob 3\0abc' | sha1sum | cut -d ' ' -f 1)
cat > table << END
numbers numbers.txt 108894 md5=$md5 file://$PWD/nowhere file://$PWD/mirror
letters letters.bin 3 sha256=$sha,blob=$blob file://$PWD/mirror
wrapped wrapped.gz $(wc -c < other.gz) plain-md5=$md5,usual-md5=$(md5sum < other.gz | cut -d ' ' -f 1) file://$PWD/mirror
END
fetch() { sh "$REPO/scripts/fetch-data" --table table --to got "$@" 2> talk; echo "exit $?"; }

fetch --check numbers
mkdir -p got/numbers
head -c 5000 mirror/numbers.txt > got/numbers/numbers.txt.part
fetch numbers letters wrapped
cmp mirror/numbers.txt got/numbers/numbers.txt && grep -c 'cannot download' talk
grep -c note talk
mv mirror away
fetch numbers letters wrapped
fetch --check letters
mv away mirror

echo "a damaged download stays as .bad, a damaged file is only told"
rm -r got
tr 1 7 < mirror/numbers.txt > changed && mv changed mirror/numbers.txt
fetch numbers
grep -c "expected $md5" talk
ls got/numbers
mkdir got/letters && printf 'abd' > got/letters/letters.bin
fetch --check letters
ls got/letters
fetch nothing
grep unknown talk
