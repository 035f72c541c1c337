# What the hint of an error says works.
. "$CLI_TESTS/hints"
given make-data digits -n 60 --size 8 -o digits.h5
given make-data gauss -n 60 --dim 3 -o gauss.h5
follow view-samples digits.h5
follow view-samples gauss.h5 -o g.png
touch sheet.png
follow view-samples digits.h5 -o sheet.png
follow_by 'view-samples digits.h5 --scale 1 -o b.png' view-samples digits.h5 --scale 64 --grid 60x60 -o b.png
follow_by 'view-samples digits.h5 -o c.png' view-samples digits.h5 -o c.pdf
follow_by 'view-samples digits.h5 -o d.png' view-samples digits.h5 -o d.svg
follow_by 'view-samples digits.h5 -o e.png' view-samples digits.h5 -o e.pdf
given train-vae digits.h5 -o vae.h5 --preset tiny --binarise static
follow_by 'sample-model vae.h5 -o samples.h5 -n 4 && view-samples samples.h5 -o f.png' view-samples vae.h5 -o f.png
given elbo-eval vae.h5 digits.h5 --per-example scores.h5
follow_by 'view-samples scores.h5 --rows 0:2' view-samples scores.h5:test
given make-data digits -n 20 --size 8 -o small.h5
given train-arm small.h5 -o arm.h5 --preset tiny --channels 4 --levels 2 --steps 1 --batch 4
given sample-model arm.h5 -n 2 -o plain.h5
given make-data molecules --max-atoms 3 -n 40 -o mol.h5
given train-arm mol.h5 -o bonds.h5 --preset tiny --steps 1
given sample-model bonds.h5 -n 2 --order-trace steps -o bonds.s.h5
follow view-samples bonds.s.h5 --order-map
follow view-samples bonds.s.h5 --order-template EN
follow_by 'sample-model arm.h5 -n 2 --order-trace steps -o traced.h5 && view-samples traced.h5 --order-map -o map.png' \
  view-samples plain.h5 --order-map -o map.png
given sample-model bonds.h5 -n 2 --order-trace all -o whole.h5
if [ -e "$(dirname "$(command -v view-samples)")/../lib/liblogpx-chemistry.so" ]; then
  follow_by 'view-samples mol.h5 -o mol.svg' view-samples mol.h5 -o mol.png
  follow_by 'view-samples whole.h5 --path 1 -o path.svg' view-samples whole.h5 --path 1
  follow_by 'view-samples whole.h5 --path 1 --rows 1:2 -o one.svg' view-samples whole.h5 --path 1 --rows 0:2 -o two.svg
fi
follow_by 'sample-model bonds.h5 -n 2 --order-trace all -o again.h5 && view-samples again.h5 --order-entropy' \
  view-samples bonds.s.h5 --order-entropy
