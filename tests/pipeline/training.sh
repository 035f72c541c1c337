# What every training tool promises about its files: checkpoint, history, resuming, refusing.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export SOURCE_DATE_EPOCH=0
train=(train-fixture 200 --batch 50 --epochs 5)
expect() { # CODE COMMAND...: stderr to ./err
  local want=$1 got=0
  shift
  "$@" > out 2> err || got=$?
  [ "$got" = "$want" ] || { cat err; echo "exit $got, expected $want: $*"; exit 1; }
}
says() { grep -qF -e "$1" err || { cat err; echo "stderr lacks: $1"; exit 1; }; }

# A dry run says what it would take, and writes nothing.
expect 0 "${train[@]}" -o m.h5 --dry-run
says "memory "
says "steps 20 of "
[ -z "$(find . -name '*m.*')" ]

# A run leaves a model, a checkpoint and a history with a line per evaluation.
expect 0 "${train[@]}" -o m.h5
[ "$(wc -l < m.history.jsonl)" = 5 ]
[ -e m.ckpt.h5 ]

# Nothing is replaced without being told.
expect 5 "${train[@]}" -o m.h5
rm m.h5
expect 5 "${train[@]}" -o m.h5
says "m.ckpt.h5: is there from an earlier run"
says "--resume goes on from it, --force starts afresh"

# Resumed at its end, the run makes the same model again and adds nothing to the history.
expect 0 "${train[@]}" -o m.h5 --resume
[ "$(wc -l < m.history.jsonl)" = 5 ]
cp m.h5 five.h5

# More epochs are more of the same: the bytes of a run that was asked for them at once.
expect 0 "${train[@]}" -o m.h5 --resume --force --epochs 8
expect 0 "${train[@]}" -o eight.h5 --epochs 8
cmp m.h5 eight.h5
cmp m.history.jsonl eight.history.jsonl

# A setting that changes numbers is refused by name, and taken with --force-resume.
expect 5 "${train[@]}" -o m.h5 --resume --force --lr 0.5 --clip-norm 1 --epochs 9
says "lr 0.001 -> 0.5"
says "clip_norm 0"
expect 5 "${train[@]}" -o m.h5 --resume --force -s 2 --epochs 9
says "seed 1 -> 2"
expect 5 "${train[@]}" -o m.h5 --resume --force --components 9 --epochs 9
says "components 8 -> 9"
expect 0 "${train[@]}" -o m.h5 --force-resume --force --lr 0.01 --epochs 9
says "warning: resumed although changed: lr 0.001 -> 0.01"
[ "$(wc -l < m.history.jsonl)" = 9 ]

# A schedule that ends somewhere cannot be prolonged unseen.
expect 0 "${train[@]}" -o c.h5 --lr-schedule cosine
expect 5 "${train[@]}" -o c.h5 --lr-schedule cosine --resume --force --epochs 8
says "epochs 5"

# A signal: the checkpoint is there, the model is not, and the exit status says so.
for signal in TERM:143 INT:130 HUP:129; do
  rm -f s.*
  env --default-signal=INT,TERM,HUP "${train[@]}" -o s.h5 --nap-ms 100 2> err &
  sleep 0.7
  kill -s "${signal%:*}" $!
  status=0
  wait $! || status=$?
  [ $status = "${signal#*:}" ]
  says "; --resume goes on from there"
  [ -e s.ckpt.h5 ]
  [ ! -e s.h5 ]
  expect 0 "${train[@]}" -o s.h5 --resume
  cmp s.h5 five.h5
done

# A damaged checkpoint points at the one before it.
expect 0 "${train[@]}" -o d.h5 --checkpoint-every 5
truncate -s 1000 d.ckpt.h5
expect 3 "${train[@]}" -o d.h5 --force --resume
says "the checkpoint before it is d.ckpt.h5.prev"
mv d.ckpt.h5.prev d.ckpt.h5
expect 0 "${train[@]}" -o d.h5 --force --resume
cmp d.h5 five.h5

# The history's clock goes on where it stood.
unset SOURCE_DATE_EPOCH
expect 0 "${train[@]}" -o t.h5 --epochs 4 --nap-ms 20
expect 0 "${train[@]}" -o t.h5 --resume --force --epochs 8
sed 's/.*"seconds": *\([^,]*\),.*/\1/' t.history.jsonl > clock
[ "$(wc -l < clock)" = 8 ]
sort -g -c clock
export SOURCE_DATE_EPOCH=0

# A rate written otherwise is the same rate.
expect 0 "${train[@]}" -o r.h5 --lr 0.01
expect 0 "${train[@]}" -o r.h5 --lr 1e-2 --resume --force

# Weights of the best evaluation and a probed rate: the same after any signal, and in the report.
chosen=("${train[@]}" --lr auto --lr-probe 3 --keep-best --ema 0.9)
expect 0 "${chosen[@]}" -o k.h5 --report k.json
grep -q '"chosen": 0.1' k.json
grep -q '"weights_of_step": ' k.json
env --default-signal=INT,TERM,HUP "${chosen[@]}" -o l.h5 --nap-ms 50 2> err &
sleep 0.4 # within the probes, of 9 steps in all
kill -s TERM $!
wait $! || true
[ -e l.ckpt.h5 ]
[ ! -e l.h5 ]
expect 0 "${chosen[@]}" -o l.h5 --resume --report l.json
cmp k.h5 l.h5
cmp k.ckpt.h5 l.ckpt.h5
cmp <(sed -n '/lr_probe/,/}/p' k.json) <(sed -n '/lr_probe/,/}/p' l.json)

# Options that one run cannot all follow, or that lack an evaluation.
for pair in "--steps 3 --epochs 2" "--steps 3 --samples-seen 9" "--samples-seen 9 --epochs 2" \
  "--keep-best --keep-last"; do
  expect 2 train-fixture 200 -o x.h5 $pair
done
for option in --keep-best "--patience 2" "--lr auto"; do
  expect 2 train-fixture 200 -o x.h5 --set evaluates=false $option
  says "needs an evaluation"
done
[ -z "$(find . -name 'x.*')" ]

# Numbers that run away end with status 4 and no model.
expect 4 "${train[@]}" -o n.h5 --lr 1e30
says "is not finite"
says "components"
[ ! -e n.h5 ]
