# What is no density is a data error with its line, and nothing is written.
try() {  # TEXT OPTION...
  printf '%b' "$1" > d.csv
  shift
  sample-its --density d.csv -o x.csv "$@"
  echo "$?$(ls x.csv 2> /dev/null)"
}
try '0,1\n1,-2\n2,1\n'
try '0,1\n1,inf\n'
try '0,1\n1,nan\n'
try 'inf,1\n1,1\n'
try 'z,p\n0,1\n\n0,1\n'
try '1,1\n0,1\n'
try '0,1\n'
try ''
try '0,0\n1,0\n'
try '0,-inf\n1,-inf\n' --log
try '0,inf\n1,0\n' --log
try '0,1\n1,2\n' --histogram
try '0,0\n1,0\n2,\n' --histogram
try '0,1,2\n1,2,3\n'
try 'a,b,c\n0,1,2\n1,2,3\n'
try '0,1\n1\n'
try '0,1\none,1\n'
try '{"z": [0, 1]}\n'
