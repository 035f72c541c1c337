# --grow and --keep-states: another number of hidden states for a model that training goes on from.
set -u
make-data hmm-text -n 200 --length 12 --states 3 --alphabet 5 --split train:200 -o text.h5 -q
make-data tree -n 100 --dim 5 --split train:100 -o table.h5 -q
train-pc text.h5 -o a.h5 --hidden 4 --epochs 2 -q
train-pc text.h5 -o g.h5 --factors 2,4 --epochs 2 -q
train-pc table.h5 -o t.h5 --structure hclt --hidden 3 --epochs 2 -q
make() { train-pc "$data" -q --force "$@" || echo "exit $?"; }
score() { elbo-eval "$1" "$data" -q 2> /dev/null | jq '.result.log_likelihood.value'; }
states() { inspect -q "$1" | jq -c '.result.attributes.config | fromjson? // . | [.hidden, .factors]'; }
for start in text.h5/a.h5 text.h5/g.h5 table.h5/t.h5; do
  data=${start%/*} from=${start#*/}
  make -o plain.h5 --init-model $from --steps 0
  make -o one.h5 --init-model $from --steps 0 --grow 1 --keep-states 1
  [ "$(inspect -q --hash one.h5)" = "$(inspect -q --hash plain.h5)" ] && echo "$from: one copy of all states is the model"
  make -o twice.h5 --init-model $from --steps 0 --grow 2 --noise 0
  states twice.h5
  jq -n "$(score twice.h5) - $(score $from) | . * . < 1e-8"
  make -o noisy.h5 --init-model $from --steps 0 --grow 2
  jq -n "$(score noisy.h5) != $(score $from)"
  make -o more.h5 --init-model $from --grow 3 --epochs 2 --report report.json
  jq -n "$(score more.h5) > $(score $from)"
  make -o less.h5 --init-model $from --keep-states 0.5 --epochs 1
  states less.h5
  make -o both.h5 --init-model $from --keep-states 0.75 --grow 2 --steps 0 && score both.h5 > /dev/null
done
jq -c '[(.inputs | map(.role)), .config.grow, .config.noise]' report.json
data=text.h5
for threads in 1 2; do make -o $threads.h5 --init-model a.h5 --keep-states 0.5 --grow 3 --epochs 1 -j $threads; done
[ "$(inspect -q --hash 1.h5)" = "$(inspect -q --hash 2.h5)" ] && echo "the same for two threads"
make -o no.h5 --grow 2
make -o no.h5 --keep-states 0.5
make -o no.h5 --init-model a.h5 --noise 0.2
make -o no.h5 --init-model a.h5 --keep-states 0.1
make -o no.h5 --init-model a.h5 --keep-states 0
make -o no.h5 --init-model a.h5 --grow 0
make -o no.h5 --init-model a.h5 --grow 2 --init-seed 3
make -o no.h5 --init-model a.h5 --grow 2 --hidden 8
ls no.* 2> /dev/null
true
