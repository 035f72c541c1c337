# bench-peers over peers and a benchmark of our own: every file of the folder is a peer, each section has its own
# promise, and one that is missed makes the run fail.
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/bin" "$folder/peers"
cat > "$folder/bin/logpx-bench" << 'END'
#!/bin/sh
# --json FILE SECTION: ours takes 2 ms, on two threads 1
printf '{"sections": {"%s": [
  {"name": "it, 1 thread, median", "value": 2.0}, {"name": "it, 1 thread, fastest", "value": 1.9},
  {"name": "it, 2 threads, median", "value": 1.0}, {"name": "it, 2 threads, fastest", "value": 0.9}]}}' "$3" > "$2"
END
chmod +x "$folder/bin/logpx-bench"
peer() { # NAME PROMISE: a peer that takes 3 ms whatever the threads
  cat > "$folder/peers/$1.py" << END
import json, sys
if sys.argv[1] == "--facts":
    print(json.dumps({"title": "$1, ms", "needs": ["json"], "promised": {"plain": $2},
                      "ours": {"1": {"logpx": "1 thread"}, "2": {"logpx": "2 threads"}}}))
else:
    print(json.dumps({"peer": "other", "variants": {"plain": {"median": 3.0, "least": 2.9},
                                                    "odd": {"missing": "no such thing"}}}))
END
}
run() {
  PEER_FOLDER=$folder/peers PEER_PYTHON=python3 PEER_ROUNDS=2 \
    "$root/scripts/bench-peers" "$folder" "$folder/out" "$@" > "$folder/log" 2> "$folder/err"
}

peer easy 1.5
peer hard 2
if run; then echo "a missed promise passed"; exit 1; fi
grep -q '^easy, ms ' "$folder/log"
[ "$(grep -c 'promised 1.5: met' "$folder/log")" = 2 ]
[ "$(grep -c 'promised 2: MISSED' "$folder/log")" = 1 ] # 1.5 on one thread, 3 on two
[ "$(grep -c 'promised 2: met' "$folder/log")" = 1 ]
[ "$(grep -c 'not here: no such thing' "$folder/log")" = 4 ]
[ "$(jq '.hard | length' "$folder/out/peers.json")" = 6 ]
run easy # alone it is met
cat > "$folder/peers/judge.py" << END
import json, sys
if sys.argv[1] == "--facts":
    print(json.dumps({"title": "Answers", "judges": True, "needs": ["json"], "wheels": {"json": "json-of-python"}}))
else:
    print("met" if sys.argv[1] == "$folder/bin" and sys.argv[3] == "2" else "missed")
    sys.exit(open("$folder/verdict").read().strip() != "met")
END
echo met > "$folder/verdict"
run judge # runs once, with the tools, a folder and the rounds
[ "$(grep -cx met "$folder/log")" = 1 ]
run easy judge
echo missed > "$folder/verdict"
if run easy judge; then echo "a missed verdict passed"; exit 1; fi
rm "$folder/peers/judge.py"
if run none; then echo "a peer that is not there passed"; exit 1; fi
grep -q 'there is no peer' "$folder/err"
