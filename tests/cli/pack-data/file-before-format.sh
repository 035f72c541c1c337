# Whoever leaves FORMAT out, or puts the file before it, reads the command that takes the file.
printf 'a,b\n1,x\n2,y\n' > my.csv
printf 'CCO ethanol\nc1ccccc1 benzene\nCC(=O)O acid\nCCN\n' > my.smi
mkdir pictures
for given in my.csv my.smi pictures wav; do
  pack-data $given -o out.h5
  echo "exit $?"
done
