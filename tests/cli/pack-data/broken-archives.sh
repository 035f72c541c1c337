# Archives that are cut, hold nothing or something else: exit code and message, and never an output.
set -u
mkdir faces
printf 'P5 2 1 255\nab' > faces/a.pgm
printf 'words' > faces/b.txt
tar cf faces.tar faces/a.pgm faces/b.txt
try() {
  pack-data "$@" -o x.h5 -q 2> err
  echo "$? $*"
  sed 's/after [0-9]* bytes/after N bytes/' err >&2  # depends on the time in the headers
  [ ! -e x.h5 ] || echo "x.h5 is there"
}
head -c 600 faces.tar > header.tar
head -c 1024 faces.tar > member.tar
gzip -c faces.tar | head -c 80 > cut.tar.gz
try images header.tar
try images member.tar
try images cut.tar.gz
try images faces.tar
try images faces.tar --members '*.png'
try npy faces.tar
try bytes faces.tar --members '*.pgm'
# Documents whose bytes are a zip are not folders of data.
printf 'PK\003\004%026d[Content_Types].xml' 0 > book.xlsx
try auto book.xlsx
try csv book.xlsx
