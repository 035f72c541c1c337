# What the hint of an error says works.
. "$CLI_TESTS/hints"
pack() { follow pack-data "$@" -o d.h5; rm -f d.h5; }
pack_by() { local remedy=$1; shift; follow_by "pack-data $remedy -o d.h5" pack-data "$@" -o d.h5; rm -f d.h5; }
# FORMAT left out
printf 'a,b\n1,2\n3,4\n' > plain.csv
follow pack-data plain.csv -o d.h5; rm -f plain.h5
# tables
printf 'a,b\n1,2\n,4\n5,6\n' > holes.csv
pack csv holes.csv --missing error
pack csv holes.csv --levels 9 --missing error
pack_by 'csv holes.csv --columns b' csv holes.csv --columns c
printf 'a,b\n1,x\n2,\n' > labels.csv
pack_by 'csv labels.csv --label-column b --missing drop-row' csv labels.csv --label-column b
pack_by "csv labels.csv --label-column b --missing drop-row --na NONE" csv labels.csv --label-column b
pack_by 'csv holes.csv --columns 1 --missing drop-row' csv holes.csv --columns 7
pack csv holes.csv --missing drop-row --content symbols --levels 9 --standardise
printf 'a,b\n1,2\n?,4\n5,6\n' > asked.csv
pack_by "csv asked.csv --na '?' --missing drop-row --content symbols" csv asked.csv --content symbols
printf 'a,b\n1,2\n16777217,0.5\n' > ids.csv
pack_by 'csv ids.csv --columns b --categorical auto' csv ids.csv --categorical auto
printf 'size,kind\n1,cat\n2,dog\n' > kinds.csv
pack_by 'csv kinds.csv --label-column kind --content symbols' csv kinds.csv --content symbols
pack_by 'csv kinds.csv --columns size --content symbols' csv kinds.csv --content symbols
pack_by 'csv kinds.csv --categorical auto --content symbols' csv kinds.csv --content symbols
printf 'size,kind\n1,cat\n2.5,dog\n' > sizes.csv
pack_by 'csv sizes.csv --categorical kind,size --content symbols' csv sizes.csv --categorical kind --content symbols
pack_by 'csv sizes.csv --categorical auto --columns kind --content symbols' csv sizes.csv --categorical auto --content symbols
{ echo n,word; seq 70000 | sed 's/$/,w/'; } > many.csv
pack_by 'csv many.csv --categorical auto --columns word' csv many.csv --categorical n,word
printf 'a,b,a\n1,2,3\n4,5,6\n' > twice.csv
pack_by 'csv twice.csv --columns 1-2' csv twice.csv
pack csv kinds.csv --type kind=number
pack csv sizes.csv --type size=whole
pack_by "csv sizes.csv --type 'kind=ordered:cat<cow<dog'" csv sizes.csv --type 'kind=ordered:cat<cow'
pack_by 'csv sizes.csv --type size=number' csv sizes.csv --type size=real
printf 'size,sort\n3,cow\n' > sorts.csv
pack_by 'csv kinds.csv sorts.csv --columns 1-2' csv kinds.csv sorts.csv
printf 'size,who\n1,a\n2,a\n3,a\n4,b\n' > groups.csv
pack_by 'csv groups.csv --group who --split a:3,b:rest' csv groups.csv --group who --split a:1,b:rest
{ echo name; seq -f n%g 40; } > names.csv
pack_by 'csv names.csv --type name=word' csv names.csv
{ echo a,b; seq -f x%g,1 65537; } > wide.csv
pack csv wide.csv --type a=word
printf 'mpg,cyl\nMazda,21,6\nFiat,30,4\n' > short.csv
sed '1s/^/,/' short.csv > named.csv
pack_by 'csv named.csv' csv short.csv
printf '# made today\na,b\n1,2\n' > note.csv
tail -n +2 note.csv > bare.csv
pack_by 'csv bare.csv' csv note.csv
printf 'source,me\n\nmade,today\na,b,c\n1,2,3\n4,5,6\n' > above.csv
tail -n +4 above.csv > below.csv
pack_by 'csv below.csv' csv above.csv
printf 'name,x\nM\374ller,1\n' > latin.csv
iconv -f WINDOWS-1252 -t UTF-8 latin.csv > narrow.csv
pack_by 'csv narrow.csv' csv latin.csv
iconv -f UTF-8 -t UTF-16 narrow.csv > wide16.csv
iconv -f UTF-16 -t UTF-8 wide16.csv > narrow.csv
pack_by 'csv narrow.csv' csv wide16.csv
printf 'a,b\n,2\n' > gone.csv
pack csv gone.csv --missing drop-row
printf 'born,x\n01/02/1999,1\n02/02/1999,2\n' > born.csv
pack csv born.csv --type born=date
printf '[{"name": "size"}]\n' > types.json
given pack-data csv sizes.csv -o sizes.h5
inspect sizes.h5 -q > columns.json
pack_by 'csv sizes.csv --type columns.json' csv sizes.csv --type types.json
printf '{"a": 1}\n' > not.npy
pack_by 'bytes not.npy --block 4' npy not.npy
pack_by 'bytes not.npy --block 4' idx not.npy
pack_by 'bytes not.npy --block 4' npz not.npy
pack_by 'bytes not.npy --block 4' mat not.npy
printf 'caf\303\251\n' > words.txt
pack text words.txt --alphabet text27
printf 'nothing known' > unknown.bin
pack_by 'bytes unknown.bin --block 4' auto unknown.bin
# pictures
given make-data digits -n 12 --size 8 -o digits.h5
mkdir one
given view-samples digits.h5 --rows 0:1 -o one/a.png
given view-samples digits.h5 --rows 0:1 --scale 2 -o b.png
given view-samples digits.h5 --rows 1:2 -o c.png
pack images one/a.png b.png
pack images one/a.png --size 4x4
pack images one/a.png c.png --labels-from dir
head -c 60 one/a.png > torn.png
pack images torn.png c.png
cp unknown.bin odd.png
pack images odd.png c.png
given pack-data images one/a.png -o d.h5
follow pack-data images one/a.png -o d.h5
rm -f one.h5 && follow pack-data one -o folder.h5
rm -f one.h5 && follow inspect one
follow pack-data images one/a.png -o nowhere/d.h5
follow_by 'pack-data images one -o outside.h5' pack-data images one -o one/a.png --force
pack images one/a.png c.png --split 'a:0-2,b:1-2'
pack images one/a.png --binarise dynamic
# containers
tar cf two.tar one/a.png c.png
pack images two.tar --members '*.gif'
given pack-data images one/a.png -o data.h5
printf '\001\002\003\377\376' > blob
pack_by 'bytes blob --block 5' auto blob
base64 -d > clear.png << END
iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==
END
pack images clear.png
printf 'P5\n1 1\n65535\nab' > wide.pgm
pack images wide.pgm
gzip -c not.npy > not.gz
pack_by 'bytes not.npy --block 4' text not.gz --members '*'
head -c 3073 /dev/zero > batch.bin
tar cf cifar.tar batch.bin not.npy
FILL["'*.bin'"]='*.bin'
pack cifar10 cifar.tar
printf '\0\0\010\002\0\0\0\002\0\0\0\006abcdefghijkl' > rows.idx
FILL[H,W,C]=2,3,1
pack idx rows.idx --tile 2
# arrays
npy() {  # TYPE SHAPE: the header
  local text="{'descr': '$1', 'fortran_order': False, 'shape': ($2), }"
  printf '\223NUMPY\001\000'
  # shellcheck disable=SC2059
  printf "\\x$(printf %02x $((${#text} + 1)))\\x00"
  echo "$text"
}
{ npy '|u1' '2, 6' && printf abcdefghijkl; } > flat.npy
{ npy '|u1' '1, 2, 1, 5' && printf abcdefghij; } > deep.npy
{ npy '<c8' '1, 1' && printf abcdefgh; } > complex.npy
FILL[H,W,C]=2,3,1
pack npy flat.npy --content image
pack_by 'npy flat.npy --shape 2,3,1' npy deep.npy --content image
pack_by 'npy flat.npy' npy complex.npy
# tokens, if this build makes them
seq 3000 > numbers.txt
if given_if_built pack-data text numbers.txt --tokens sentencepiece:300 -o tokens.h5; then
  pack text numbers.txt --tokens words:300
  pack text numbers.txt --tokens sentencepiece:5
  pack text numbers.txt --tokens sentencepiece:60000
  pack text numbers.txt --tokens digits.h5
  { cat numbers.txt; echo abc; } > more.txt
  pack text more.txt --tokens tokens.h5
  printf '1 \342\226\201\n' > mark.txt
  pack text mark.txt --tokens tokens.h5
  printf '1 \377\n' > broken.txt
  pack text broken.txt --tokens tokens.h5
fi
# molecules, if this build reads them
echo CCO > one.smi
if given_if_built pack-data smiles one.smi -o molecule.h5; then
  printf 'CCO\nC1CC\n' > bad.smi
  pack smiles bad.smi --on-bad fail
  echo 'C[Se]C' > metal.smi
  pack smiles metal.smi --vocab qm9
  printf 'a_smiles,iso_smiles,mass\nCC,CC,3\n' > both.csv
  pack_by 'smiles both.csv --column iso_smiles' smiles both.csv
  printf 'id,mol\n1,CC\n' > mol.csv
  pack_by 'smiles mol.csv --column mol' smiles mol.csv
  pack_by 'smiles mol.csv --column mol' smiles mol.csv --column name
  iconv -f UTF-8 -t UTF-16 one.smi > wide.smi
  iconv -f UTF-16 -t UTF-8 wide.smi > narrow.smi
  pack_by 'smiles narrow.smi' smiles wide.smi
  pack smiles one.smi --grow 4:1
fi
