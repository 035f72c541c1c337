# The name of the output chooses its form: a table comes back as CSV with its words, texts as lines,
# numbers as npy and npz, and pack-data reads the same rows again.
. "$CLI_TESTS/bits-back-encode/setup"
{ echo size,colour; for i in 1 2 3 4 5 6 7 8 9 10; do echo "$i.5,red"; echo "-$i.25,\"light blue\""; done; } > t.csv
pack-data csv t.csv --categorical auto -o t.h5 -q
train-pc t.h5 -o t.pc.h5 --preset tiny --steps 3 -q
make-data hmm-text -n 50 --length 12 -o l.h5 -q
train-pc l.h5 -o l.pc.h5 --preset tiny --steps 3 -q
make-data digits -n 60 --size 8 -o d.h5 -q
train-vae d.h5 -o d.vae.h5 --preset tiny --likelihood beta-binomial -q
sample-model t.pc.h5 -n 20 -o s.h5 -q
expect 0 sample-model t.pc.h5 -n 20 -o s.csv -q
[ "$(head -n 1 s.csv)" = size,colour ] || die "no names: $(head -n 1 s.csv)"
[ "$(tail -n +2 s.csv | sed 's/.*,//' | sort -u | paste -sd '|')" = "light blue|red" ] || die "other words: $(cat s.csv)"
view-samples s.h5 > seen.csv
cmp s.csv seen.csv || die "other rows than in the artifact"
expect 0 sample-model t.pc.h5 -n 20 --format csv -o - -q
cmp s.csv out || die "stdout gets other rows"
expect 0 sample-model l.pc.h5 -n 7 -o s.txt -q
grep -qxE '[a-z ]{12}' s.txt && [ "$(wc -l < s.txt)" = 7 ] || die "no line a text: $(cat s.txt)"
expect 0 sample-model l.pc.h5 -n 7 -o s.smi -q
cmp s.txt s.smi || die "another suffix, other lines"
sample-model d.vae.h5 -n 6 -o d.samples.h5 -q
view-samples d.samples.h5 --grid 6x1 -o d.samples.png -q
for form in npy npz; do
  expect 0 sample-model d.vae.h5 -n 6 -o s.$form -q
  pack-data $form s.$form --content image --levels 256 -o $form.h5 -q
  view-samples $form.h5 --grid 6x1 -o $form.png -q
  cmp d.samples.png $form.png || die "$form holds other pictures"
done
expect 0 sample-model d.vae.h5 -n 6 -o again.npz -q
cmp s.npz again.npz || die "the same samples give another file"
expect 2 sample-model d.vae.h5 -n 6 -o s2.csv --dry-run
says "CSV, and the samples are pictures"
expect 2 sample-model t.pc.h5 -n 6 -o s.parquet
no_leftovers
