# --list tells what is inside; control characters of names stay off the terminal.
. "$CLI_TESTS/bits-back-encode/setup"
printf 'words words words words words words words words' > a
printf 'x' > $'evil\033[2J'
"${fallback[@]}" a $'evil\033[2J' --no-times -o all.lpx
bits-back-decode --list all.lpx
bits-back-decode --list -v all.lpx 2> /dev/null
# A small archive, of one file alone, says so.
"${fallback[@]}" a --no-times -o small.lpx
bits-back-decode --list -v small.lpx 2> /dev/null
bits-back-decode --list --json all.lpx > report.json
validate-json "$REPO/scripts/schema/report.json" report.json
grep '"members"' report.json
