# A run whose energies run away ends with status 4, names the component, and leaves no model; one whose chains
# run away says which step of which update it was, and what helps; one whose curves are given what is no place on a
# grid names their layer. The checkpoint before it stays.
make-data bars -n 60 -o bars.h5 -q
fit-prior bars.h5 -o m.h5 --preset tiny --lr 1e30 --steps 20 -q
echo "exit $?"
fit-prior bars.h5 -o m.h5 --preset tiny --posterior ula --eta 1e5 --steps 20 -q --force
echo "exit $?"
fit-prior bars.h5 -o m.h5 --preset tiny --posterior ula --obs-std 1e-30 --steps 20 -q --force
echo "exit $?"
fit-prior bars.h5 -o m.h5 --preset tiny --freeze prior --lr 1e38 --steps 6 -q --force
echo "exit $?"
fit-prior bars.h5 -o m.h5 --preset tiny --steps 3 --lr 1e-4 -q --force && rm m.h5
fit-prior bars.h5 -o m.h5 --preset tiny --steps 60 --lr 1e30 -q --force-resume
echo "exit $?"
inspect m.ckpt.h5 --check -q > report.json && jq .result.attributes.step report.json
ls m.h5 2> /dev/null
true
