# Real numbers are binarised only where the dataset says that they lie between 0 and 1.
set -u
for name in gauss mixture 'shapes2d ring8' 'shapes2d checkerboard'; do
  # shellcheck disable=SC2086
  make-data $name -n 60 -o reals.h5 -q --force
  for rule in static dynamic threshold; do
    train-vae reals.h5 -o m.h5 --preset tiny --binarise $rule -q 2> err
    echo "$name $rule: exit $?"
  done
done
cat err
ls m.* 2> /dev/null
true
