# Rows that memory does not hold: training stays within --memory, and ranks train the same model.
# At SCALE=small these are 10 GB of pictures.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
unset SOURCE_DATE_EPOCH
bytes() { sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p" "$2"; }
case "${SCALE:-tiny}" in
  tiny) rows=100_000 memory=150000000 steps=20 ;;
  *) rows=13_000_000 memory=500000000 steps=400 ;;
esac

make-data digits -n $rows --split train:rest -o many.h5 -q
train() { train-vae many.h5 --binarise static --memory $memory --eval-every 0 --shards 4 --force -q "$@"; }
train --steps $steps -j 2 -o one.h5 --report one.json
taken=$(bytes peak_rss_bytes one.json)
echo "$rows pictures: taken $taken of $memory bytes"
[ "$taken" -le $memory ]

train --steps $((steps / 2)) -j 1 -o part.h5
train --steps $steps -j 1 --resume -o part.h5
export SOURCE_DATE_EPOCH=0
[ "$(inspect one.h5 --hash -q)" = "$(inspect part.h5 --hash -q)" ]

command -v mpirun > /dev/null || { echo "no mpirun here"; exit 0; }
train-vae --version | grep -q '^mpi left out' && { echo "built without MPI"; exit 0; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
for ranks in 2 4; do
  mpirun -n $ranks --oversubscribe train-vae many.h5 --binarise static --memory $memory --eval-every 0 --shards 4 \
    --force -q --steps $steps -j 1 -o ranks.h5
  [ "$(inspect ranks.h5 --hash -q)" = "$(inspect one.h5 --hash -q)" ]
done
