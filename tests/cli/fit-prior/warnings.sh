# What a user should know at the end is a warning, in the report as well: one sample, weights of which one
# counts, data where no mean can lie. A run without such trouble has none.
make-data digits -n 60 --size 8 -o digits.h5 -q
printf 'x,y\n0.25,3\n0.75,-2\n0,0.5\n' > real.csv && pack-data csv real.csv -o real.h5 -q
try() {
  fit-prior "$@" -o m.h5 --preset tiny --force --report report.json -q
  jq '.warnings | length' report.json
}
echo "one sample" && try digits.h5 --samples 1 --steps 2
echo "degenerate weights" && try digits.h5 --obs-std 0.01 --steps 2
echo "data outside of the sigmoid" && try real.h5 --batch 4 --valid 0 --steps 2 --obs-std 1 --mean-activation sigmoid
echo "without the sigmoid" && try real.h5 --batch 4 --valid 0 --steps 2 --obs-std 1 --mean-activation identity
echo "chains that hardly move" && try digits.h5 --posterior mala --eta 1000 --steps 2
echo "chains that move" && try digits.h5 --posterior mala --eta 0.002 --steps 2
echo "data outside of the sigmoid, strictly"
fit-prior real.h5 -o strict.h5 --preset tiny --batch 4 --valid 0 --steps 2 --mean-activation sigmoid --strict -q || echo "exit $?"
ls strict.* 2> /dev/null
echo "without trouble" && try digits.h5 --obs-std 0.5 --steps 2
true
