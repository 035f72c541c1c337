# A training run that is killed at 50 random moments and resumed ends with the bytes of one that ran
# through: model, checkpoint and history. train-fixture is the tests' own tool.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export SOURCE_DATE_EPOCH=0
train=(train-fixture 200 --steps 6000 --batch 64 --shards 4 --nap-ms 3 --ema 0.99 --force
  --accumulate 2 --patience 1000 --lr-schedule cosine --eval-every 97 --checkpoint-every 40 -j 2 -q)

mkdir whole pieces
"${train[@]}" --nap-ms 0 -o whole/m.h5

RANDOM=1 # the same moments in every run, as far as the machine allows
killed=0
for round in $(seq 50); do
  env --default-signal=INT,TERM,HUP "${train[@]}" -o pieces/m.h5 --resume 2> err &
  pid=$!
  sleep "$(printf "0.%03d" $((30 + RANDOM % 120)))"
  case $((RANDOM % 4)) in
    0) signal=KILL expected=137 ;;
    1) signal=TERM expected=143 ;;
    2) signal=HUP expected=129 ;;
    *) signal=INT expected=130 ;;
  esac
  kill -s $signal $pid 2> kill.err || true
  status=0
  wait $pid 2> wait.err || status=$?
  # A run may be over before its signal.
  case $status in
    "$expected") killed=$((killed + 1)) ;;
    0) ;;
    *) cat err; echo "round $round: exit $status after SIG$signal"; exit 1 ;;
  esac
  [ ! -e pieces/m.h5 ] || break
done
"${train[@]}" --nap-ms 0 -o pieces/m.h5 --resume
echo "killed $killed times"
[ $killed = 50 ]
cmp whole/m.h5 pieces/m.h5
cmp whole/m.ckpt.h5 pieces/m.ckpt.h5
cmp whole/m.history.jsonl pieces/m.history.jsonl
[ -z "$(find . -name '*.tmp.*')" ]

# One that patience ends, stopped on its way there: the count of bad evaluations outlives a process.
patient=(train-fixture 200 --steps 6000 --batch 64 --shards 4 --accumulate 2 --patience 30 --lr 0
  --ema 0.99 --eval-every 2 --checkpoint-every 3 --nap-ms 15 --force -q)
"${patient[@]}" --nap-ms 0 -o whole/p.h5 --report whole/p.json
grep -q '"stopped": "patience"' whole/p.json
for signal in KILL TERM INT; do
  env --default-signal=INT,TERM,HUP "${patient[@]}" -o pieces/p.h5 --resume 2> err &
  pid=$!
  sleep 0.15
  kill -s $signal $pid 2> kill.err || true
  wait $pid 2> wait.err || true
  [ ! -e pieces/p.h5 ]
done
"${patient[@]}" --nap-ms 0 -o pieces/p.h5 --resume
for file in p.h5 p.ckpt.h5 p.history.jsonl; do cmp whole/$file pieces/$file; done
