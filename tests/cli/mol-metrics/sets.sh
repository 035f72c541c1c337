# Several sets stand side by side; a benchmark's columns have its names, and say where they depart from it.
. "$CLI_TESTS/rdkit"
set -eu
. "$CLI_TESTS/mol-metrics/inputs"
printf '%s\n' CCCO 'Cc1ccccc1O' CC1CC1 > b.smi
mol-metrics s.smi b.smi --test test.smi --table moses -q 2> err > r.json
jq -c '.result.sets[] | [.name, .n_valid]' r.json
jq -r '.result.table | (.rows[0] | keys_unsorted | join(" ")), .rows[1].valid, .rows[0].Filters, (.notes | length)' r.json
mol-metrics s.smi --test test.smi --table guacamol -q 2> err | jq -r '.result.table.rows[0] | keys_unsorted | join(", ")'
