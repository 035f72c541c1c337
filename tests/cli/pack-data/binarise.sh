# --binarise stores bits; epochs of a dynamic rule belong to the training tool.
set -u
. "$CLI_TESTS/pack-data/inputs"
for rule in threshold:105 static; do
  pack-data idx images.idx -q --binarise $rule -o $rule.h5 --json | sed -n '/"result"/,$p' | grep '"levels"'
done
pack-data idx images.idx -q --binarise dynamic -o x.h5
echo "exit $?"
