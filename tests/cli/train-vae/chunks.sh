# Rows that take more than a third of --memory are read while the model trains: the same bytes for any threads and
# after a resume. What needs all rows at once says so.
make-data bars -n 6000 --size 28 -o bars.h5 -q
train() { train-vae bars.h5 --preset tiny --hidden 4 --eval-every 0 --steps "$@" || echo "exit $?"; }
vae() { train "$@" --valid 0.1; }
vae 40 -o one.h5 --memory 8Mi -j 1 2>&1 | grep chunks
vae 40 -o four.h5 --memory 8Mi -j 4 -q && cmp one.h5 four.h5
vae 40 -o held.h5 --memory 20Mi -q
cmp -s one.h5 held.h5 || echo "another order"
vae 35 -o part.h5 --memory 8Mi -q && vae 40 -o part.h5 --memory 8Mi --resume --force -q && cmp one.h5 part.h5
echo "in other windows"
vae 42 -o part.h5 --memory 6Mi --resume --force -q
vae 42 -o part.h5 --memory 20Mi --resume --force -q
vae 42 -o held.h5 --memory 8Mi --resume --force -q
echo "all rows at once"
train 40 -o em.h5 --memory 3Mi --algorithm mcem -q
