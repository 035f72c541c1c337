# Options of zstd and cp that are not there: what is said names what does it here, and never an
# option that removes files.
mkdir folder && echo words > folder/words.txt
for option in -r --recursive -9 --best --level --ultra -D; do
  bits-back-encode "$option" folder -o a.lpx
  echo "exit $?"
done
