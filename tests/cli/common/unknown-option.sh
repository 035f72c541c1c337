# A misspelt option is an error with a suggestion; it is not taken for a file.
. "$CLI_TESTS/common/setup"
expect 2 "$TOOL" "${ARGS[@]}" --sede 3
stderr_has "$TOOL: error: unknown option --sede (did you mean --seed?)"
expect 2 "$TOOL" "${ARGS[@]}" --confgi x
stderr_has "did you mean --config?"
expect 2 "$TOOL" "${ARGS[@]}" --seed
stderr_has "--seed: needs a value"
expect 2 "$TOOL" "${ARGS[@]}" --seed --quiet
stderr_has "--seed: needs a value"
expect 2 "$TOOL" "${ARGS[@]}" --seed abc
stderr_has "--seed: 'abc' is not a whole number"
expect 2 "$TOOL" "${ARGS[@]}" --color often
stderr_has "is not one of: auto, always, never"
expect 2 "$TOOL" "${ARGS[@]}" --set nosuch=3
stderr_has "unknown setting nosuch"
no_leftovers
