# --list names every dataset with its options; with --json as a report.
make-data --list | head -n 26
make-data --list --json | grep -c "\"summary\""
