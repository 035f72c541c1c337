# --print-config | --config is the identity; unknown and repeated keys, syntax errors: said with place.
. "$CLI_TESTS/common/setup"
expect 0 "$TOOL" "${ARGS[@]}" --seed 7 --print-config
mv out settings.json
expect 0 "$TOOL" "${ARGS[@]}" --config settings.json --print-config
cmp -s out settings.json || die "--print-config | --config is not the identity"
echo '{"sede": 1}' > bad.json
expect 2 "$TOOL" "${ARGS[@]}" "${OUTPUT_ARGS[@]}" --config bad.json
stderr_has "bad.json: unknown setting sede (did you mean seed?)"
printf '{\n  "seed": 1,\n  "seed": 2\n}\n' > bad.json
expect 3 "$TOOL" "${ARGS[@]}" "${OUTPUT_ARGS[@]}" --config bad.json
stderr_has "bad.json: key seed is given twice"
printf '{\n  "seed": 1,,\n}\n' > bad.json
expect 3 "$TOOL" "${ARGS[@]}" "${OUTPUT_ARGS[@]}" --config bad.json
stderr_has "bad.json:2:13: not JSON"
echo '{"seed": "many"}' > bad.json
expect 2 "$TOOL" "${ARGS[@]}" "${OUTPUT_ARGS[@]}" --config bad.json
stderr_has "bad.json: seed: 'many' is not a whole number"
echo '{"schema": "logpx.report/1", "tool": "other-tool", "config": {}}' > bad.json
expect 2 "$TOOL" "${ARGS[@]}" "${OUTPUT_ARGS[@]}" --config bad.json
stderr_has "bad.json: holds settings of other-tool, not of $TOOL"
expect 1 "$TOOL" "${ARGS[@]}" "${OUTPUT_ARGS[@]}" --config none.json
[ -z "$OUTPUT" ] || [ ! -e "$OUTPUT" ] || die "an output was made"
