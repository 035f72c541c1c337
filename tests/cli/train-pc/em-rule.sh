# Trees of tables learn by --em-rule stats, pictures by params, unless the option says otherwise.
set -u
make-data gauss --dim 4 -n 100 -o table.h5 -q
make-data bars -n 60 -o bars.h5 -q
made() { train-pc "$1" -o m.h5 -q --force --structure hclt --hidden 2 --epochs 2 --batch 20 "${@:2}" && inspect -q --hash m.h5; }
for data in table.h5 bars.h5; do
  for rule in stats params; do
    [ "$(made $data)" = "$(made $data --em-rule $rule)" ] && echo "$data: $rule"
  done
done
true
