# What is not at hand for an experiment is asked for by a name that this script knows, or by what it is.
set -u
names=$(sh "$REPO/scripts/fetch-data" --list | tr -s ' ' '\n')
for what in mnist mnist14 frey fashion svhn celeba cifar10 imagenet32 imagenet64 text training-text held-out-text tiles \
  tokens held-out-tokens density:dna; do
  DATA=real DATA_DIR=$PWD SCALE=paper "$REPO/scripts/recipes/get-data" $what out.h5 tokens.h5 2> said
  name=$(sed -n 's/^get-data: hint: scripts\/fetch-data --to DIR \([^ ,]*\),.*/\1/p' said)
  if [ -z "$name" ]; then sed -n "s/^get-data: hint:/$what:/p" said
  else echo "$what: $(grep -x -- "$name" <<< "$names")"; fi
done
