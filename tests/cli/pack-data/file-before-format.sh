# Whoever leaves FORMAT out, or puts the file before it, reads the command that takes the file.
printf 'a,b\n1,x\n2,y\n' > my.csv
printf 'CCO ethanol\nc1ccccc1 benzene\nCC(=O)O acid\nCCN\n' > my.smi
mkdir pictures
for given in my.csv my.smi pictures wav gone.csv; do
  pack-data $given -o out.h5
  echo "exit $?"
done
# The same where a folder or a file of another trade stands in the place of a dataset.
printf 'methane\n  x\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n    0.0 0.0 0.0 C 0 0\nM  END\n' > my.sdf
printf 'CCO\nc1ccccc1\nCC(=O)O\nXX bad\n' > bad.smi
for given in my.sdf pictures/ bad.smi; do
  train-vae "$given" -o out.h5
  echo "exit $?"
done
