# Every algorithm of train-vae: the same bytes from one, two and four processes, from any number of
# threads, and from a run that was cut.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export SOURCE_DATE_EPOCH=0 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
mpi=yes
command -v mpirun > /dev/null || mpi=no
train-vae --version | grep -q '^mpi left out' && mpi=no

make-data digits --size 8 -n 120 -o data.h5 -q
for algorithm in aevb wake-sleep mcem; do
  train=(train-vae data.h5 --algorithm $algorithm --preset tiny --binarise static --batch 40 --shards 4 -q --force)
  "${train[@]}" -o one.h5 -j 1
  "${train[@]}" -o other.h5 -j 4
  cmp one.h5 other.h5
  if [ $mpi = yes ]; then
    for ranks in 2 4; do
      mpirun -n $ranks --oversubscribe "${train[@]}" -o other.h5 -j 1
      cmp one.h5 other.h5
    done
  fi
  rm -f part.*
  "${train[@]}" -o part.h5 --steps 2
  "${train[@]}" -o part.h5 --resume
  cmp one.h5 part.h5
done
