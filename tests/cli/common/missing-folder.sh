# A missing folder is an error, not made.
. "$CLI_TESTS/common/setup"
[ -n "$OUTPUT" ] || skip "makes no file"
expect 1 "$TOOL" "${ARGS[@]}" -o "nowhere/$OUTPUT"
stderr_has "no such folder: nowhere"
stderr_has "hint: mkdir -p nowhere"
[ ! -e nowhere ] || die "the folder was made"
mkdir folder
expect 2 "$TOOL" "${ARGS[@]}" -o folder
stderr_has "folder: is a folder"
