# logpx doctor says line by line whether all is there, what to do where it is not, and exits by that.
logpx doctor > lines || echo "exit $?"
awk '{ print $2 }' <(grep -E '^(ok|warn|fail) ' lines) | paste -s -d ' '
grep -c '^fail' lines
logpx doctor --json > report.json
jq -r '.schema, (.result.checks | map(.name) | join(" "))' report.json
echo "a folder that is not there:"
TMPDIR=$PWD/none logpx doctor > lines
echo "exit $?"
grep -A1 '^fail' lines
echo "a slower instruction set by wish:"
case $(uname -m) in
  x86_64) grep -q avx2 /proc/cpuinfo || { echo "no AVX2" >&2; exit 77; } ;;
  *) echo "one instruction set only" >&2; exit 77 ;;
esac
LOGPX_ISA=baseline logpx doctor | grep -A1 '^warn  processor'
