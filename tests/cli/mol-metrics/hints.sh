# What the hint of an error says works.
. "$CLI_TESTS/hints"
. "$CLI_TESTS/mol-metrics/inputs"
FILL[TEST.smi]=test.smi FILL[REFERENCE.h5]=new.h5 FILL[CORPUS.smi]=train.smi FILL[FILE]=kept.json FILL[OUT.h5]=out.h5
follow mol-metrics s.smi -o r.h5
follow mol-metrics test.smi --make-reference
follow mol-metrics s.smi --table moses
follow mol-metrics test.smi --make-reference --train train.smi -o r.h5
given mol-metrics test.smi --make-reference --measures properties -o ref.h5
follow mol-metrics s.smi --test ref.h5
given make-data gauss -n 300 -o g.h5
given extract-features g.h5 -o f.h5 --extractor pca:2 --save-basis b.h5
follow mol-metrics s.smi --sa-table b.h5
given mol-metrics train.smi --build-sa-table -o one.h5
given mol-metrics s.smi --build-sa-table -o other.h5
given mol-metrics test.smi --make-reference --sa-table one.h5 -o scored.h5
follow mol-metrics s.smi --test scored.h5 --sa-table other.h5
# ChemNet, by random weights.
"$(dirname "$(command -v mol-metrics)")/../test-bin/make-chemnet" w.h5
FILL[MOLECULES.smi]=s.smi
given mol-metrics test.smi --make-reference -o plain.h5
follow mol-metrics s.smi --fcd w.h5
follow mol-metrics s.smi --test plain.h5 --fcd w.h5
follow_by 'mol-metrics s.smi --test test.smi --fcd w.h5' mol-metrics s.smi --test test.smi --fcd b.h5
follow_by 'mol-metrics s.smi --test test.smi --fcd w.h5' \
  extract-features d.h5 -o i.h5 --extractor inception-v3 --extractor-weights w.h5
