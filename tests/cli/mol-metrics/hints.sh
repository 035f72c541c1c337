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
