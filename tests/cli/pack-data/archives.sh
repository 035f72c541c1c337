# A folder, archives of it and archives from a pipe give one content hash; what is in them is told once.
set -eu
mkdir -p faces/ann faces/bob
for i in 1 2 3; do printf 'P5 2 1 255\na%d' $i > faces/ann/$i.pgm; done
printf 'P5 2 1 255\nb1' > faces/bob/1.pgm
pack-data images faces -q --labels-from dir -o folder.h5
tar cf faces.tar faces
tar cf reversed.tar faces/bob faces/ann/3.pgm faces/ann/2.pgm faces/ann/1.pgm
tar czf faces.tar.gz -C faces ann bob
for archive in faces.tar reversed.tar faces.tar.gz; do
  pack-data images $archive -q --labels-from dir -o $archive.h5
  pack-data images - -q --labels-from dir -o $archive.piped.h5 < $archive
done
for file in *.h5; do inspect $file -q --hash; done | sort -u | wc -l
inspect faces.tar.gz.h5 -q --provenance > story
grep -c "$(sha256sum < faces.tar.gz | cut -c 1-64)" story
grep '"files"' story
