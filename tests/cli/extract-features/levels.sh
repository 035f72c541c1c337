# Pictures of other levels are extracted, with a warning that names both.
make-data digits -n 30 --size 8 -o grey.h5 -q
make-data bars -n 30 --size 8 -o bits.h5 -q
extract-features grey.h5 bits.h5 -o f.h5 --extractor pixels -q
