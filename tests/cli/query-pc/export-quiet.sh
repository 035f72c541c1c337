# --query export answers by its file: nothing on stdout unless --json asks for the report.
. "$CLI_TESTS/query-pc/inputs"
query-pc m.h5 --query export -o circuit.json -q
jq 'has("root")' circuit.json
query-pc m.h5 --query export -o circuit.json -q -f --json | jq -r .tool
