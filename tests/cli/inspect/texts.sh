# Reports and histories are inspected too.
make-data digits -n 30 --size 8 -o a.h5 -q --report made.json
inspect -q made.json | sed -n '/"result"/,$p' | grep -E '"(kind|schema|tool|n)"' | head -n 4
[ "$(inspect -q --hash made.json)" = "$(sha256sum made.json | cut -d' ' -f1)" ] && echo 'hash of the file'
inspect -q --provenance made.json | grep -c '"result"'
printf '{"step": 1, "loss": 2.5}\n{"step": 2, "loss": 1.5}\n' > run.jsonl
inspect run.jsonl | sed -n '/"result"/,$p'
printf '{"step": 1}\n{"step": ' > cut.jsonl
inspect cut.jsonl
echo "exit $?"
inspect --provenance run.jsonl
echo "exit $?"
