# Output into a full device is exit 1.
. "$CLI_TESTS/common/setup"
[ -w /dev/full ] || skip "no /dev/full"
if [ -n "$OUTPUT" ]; then set -- "${ARGS[@]}" -o -; else set -- "${ARGS[@]}"; fi
"$TOOL" "$@" > /dev/full 2> err < /dev/null
[ $? = 1 ] || die "exit is not 1"
stderr_has "stdout: no space left on device"
"$TOOL" --help > /dev/full 2> err
[ $? = 1 ] || die "--help into a full disk is not exit 1"
no_leftovers
