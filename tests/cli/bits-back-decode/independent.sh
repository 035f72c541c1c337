# A decoder that was written from logpx-archive(5) alone decodes what is stored and what the effort fast
# codes, also of earlier versions; it says what it lacks of all else, and finds damage.
. "$CLI_TESTS/bits-back-encode/setup"
command -v python3 > /dev/null || exit 77
decode() { python3 "$REPO/tests/independent/unlpx.py" "$@"; }
mkdir folder ours theirs
awk 'BEGIN { for (i = 0; i < 150; ++i) printf "row %d of %d\n", i * i % 97, i % 7 }' > folder/text
head -c 300 folder/text | cksum > folder/one
: > folder/empty
chmod 640 folder/one
touch -d @1700000000.123456789 folder/text
raster() { # BYTES: of a picture, as text
  awk -v n="$1" 'BEGIN { for (i = 0; i < n; ++i) printf "%c", 48 + i % 40 + i * i % 3 }'
}
{ printf 'P5\n# noted 1 2\n31 40\n255\n'; raster 1240; } > folder/grey.pgm
{ printf 'P6\n23 30\n255\n'; raster 2070; echo behind; } > folder/colours.ppm
{ printf 'P4\n45 60\n'; for ((i = 0; i < 60; ++i)); do printf '\377\360\017\0\0\0'; done; } > folder/bits.pbm
{ printf 'P5\n60 1\n255\n'; raster 60; } > folder/row.pgm
{ printf '\0\0\10\3\0\0\0\24\0\0\0\12\0\0\0\14'; raster 2400; } > folder/digits.idx
{ printf '\0\0\10\2\0\0\0\24\0\0\0\36'; raster 590; } > folder/short.idx
cp folder/grey.pgm second
for how in --store '--fallback-only --effort fast'; do
  expect 0 bits-back-encode -q $how folder -o many.lpx --force
  expect 0 bits-back-encode -q $how second -o small.lpx --force
  cat many.lpx small.lpx > both.lpx
  rm -rf ours && mkdir ours
  expect 0 decode both.lpx ours
  diff -r folder ours/folder || die "$how: files differ"
  cmp second ours/second || die "$how: the second archive differs"
  expect 0 bits-back-decode -q many.lpx --output-dir theirs --force
  (cd ours/folder && stat -c '%n %a %.9Y' ./*) > modes
  (cd theirs/folder && stat -c '%n %a %.9Y' ./*) | cmp - modes || die "$how: modes or times differ"
done
stored=$REPO/tests/archives/2.4/fast
expect 0 decode "$stored.lpx" stored
[ "$(cd stored && cat grey.pgm bits.idx mixture null text | sha256sum)" = "$(sed -n 's/ fast$/ -/p' "${stored%/*}/sha256")" ] ||
  die "the archive of 2.4 differs"
for archive in "2.6/text-best: a block of the adaptive coder" "2.6/primed-best: a prime" "words/vae: a model"; do
  expect 3 decode "$REPO/tests/archives/${archive%%:*}.lpx" none
  says "this decoder lacks:${archive#*:}"
done
{ head -c 300 small.lpx; printf '\1\2\3'; tail -c +304 small.lpx; } > damaged.lpx
expect 2 decode damaged.lpx none
says "damaged: a check sum is wrong"
absent none
