# A program that crashes is seen wherever a script has it, and whatever the script makes of it.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > dies << 'END'
#!/bin/sh
kill -s "$1" $$
END
chmod +x dies
seen() { # SCRIPT: the crashes below it
  rm -f log
  watch-crashes log bash -o pipefail -c "$1" > out 2> err || status=$?
  cat log
}
status=0
[ "$(seen 'inspect --version')" = "" ]
[ "$(seen './dies SEGV | cat')" = "SIGSEGV ended /bin/sh ./dies SEGV" ]
[ "$(seen './dies ABRT || true')" = "SIGABRT ended /bin/sh ./dies ABRT" ]
[ "$(seen './dies BUS & wait')" = "SIGBUS ended /bin/sh ./dies BUS" ]
[ "$(seen '[ "$(./dies FPE)" = "" ]')" = "SIGFPE ended /bin/sh ./dies FPE" ]
[[ "$(seen '(exec ./dies KILL); exit 0')" = "SIGKILL ended /bin/sh "*/dies" KILL" ]]
# Signals that a test sends on purpose are no crash, and what it exits with stays.
for signal in TERM INT HUP; do [ "$(seen "./dies $signal")" = "" ]; done
watch-crashes log bash -c 'exit 7' || status=$?
[ $status = 7 ]
# Process ids are those of the programs, so that signals reach them.
watch-crashes log bash -c 'sleep 100 & kill $!; wait $!' || status=$?
[ $status = 143 ]
