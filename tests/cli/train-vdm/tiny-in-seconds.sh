# Preset tiny takes seconds on pictures of 28x28: some steps, the curve that is measured at the end,
# and draws, within a third of the CPU time that they once took.
make-data digits -n 200 -o digits.h5 -q
(ulimit -t 10 && train-vdm digits.h5 -o m.h5 --preset tiny --steps 10 -q)
echo "exit $?"
(ulimit -t 4 && sample-model m.h5 -n 9 -o s.h5 -q)
echo "exit $?"
