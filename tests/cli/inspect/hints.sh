# What the hint of an error says works.
. "$CLI_TESTS/hints"
given make-data bars -n 12 -o d.h5
follow inspect d.h5:test
given train-vae d.h5 -o m.h5 --preset tiny --batch 4
follow_by 'inspect --provenance m.h5' inspect --provenance m.history.jsonl
seq 9 > numbers.txt
given bits-back-encode numbers.txt
follow inspect numbers.txt.lpx
