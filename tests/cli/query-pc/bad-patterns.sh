# Patterns that cannot be read, that need too much or that nothing matches, and models without text.
set -u
. "$CLI_TESTS/query-pc/inputs"
try() { query-pc "$@" -q > /dev/null || echo "exit $?"; }
try m.h5 --query match --pattern '.* (whale'
try m.h5 --query match --pattern 'whale' --pattern 'a{3,2}'
try m.h5 --query match --pattern 'wha[0-9]e'
try m.h5 --query match --pattern "$(printf 'a\tb**')"
try m.h5 --query match --without ''
try m.h5 --query match --pattern "$(printf 'a\377')"
try m.h5 --query match --pattern '.*a.{20}'
try m.h5 --query match --pattern '.*a.{12}'
try m.h5 --query match
try m.h5 --query match --length 5 --pattern 'abc'
try m.h5 --query sample --length 5 --pattern 'a*b*' --without '.*'
try m.h5 --query complete --text 'ab_' --pattern 'b.*'
try m.h5 --query complete --text 'ab_' --text 'b__' --pattern 'b.*'
try m.h5 --query complete --how mpe --text 'ab_' --pattern 'a.*'
try m.h5 --query loglik --text 'ab_' --pattern 'a.*'
try x.h5 --query sample --pattern '0.*'
try x.h5 --query match --pattern '0.*'
try m.h5 --query sample --pattern 'a(' --length 5 --dry-run
printf '0.5,0.5\n5.5,5.5\n0,5\n' > steps.csv && pack-data csv steps.csv --no-header -o steps.h5 -q
train-pc steps.h5 -o steps.m.h5 --structure hmm --hidden 2 --em-rule full --steps 1 -q > /dev/null
try steps.m.h5 --query sample --pattern '0.*'
