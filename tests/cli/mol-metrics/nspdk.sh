# NSPDK: 0 of a set from itself however its atoms are numbered, the same from a stored reference.
. "$CLI_TESTS/rdkit"
printf '%s\n' CCO CCN c1ccccc1 'CC(=O)O' CCCl > test.smi
printf '%s\n' OCC NCC c1ccccc1 'OC(C)=O' ClCC > same.smi
printf '%s\n' CCO CCN FF 'CC(=O)O' CCCl > other.smi
printf '%s\n' CCO CCN C1CCCCC1 'CC(=O)O' CCCl > saturated.smi
value() { mol-metrics "$@" --measures graphs -q 2> warnings | jq '.result.sets[0].NSPDK.value'; }
value same.smi --test test.smi
# One of five shares nothing with the one that is there instead: 2 / 25.
value other.smi --test test.smi | jq '. * 1e9 | round / 1e9'
# Bonds of aromatic rings count as single, as in published numbers.
value saturated.smi --test test.smi
mol-metrics test.smi --measures graphs --make-reference -o ref.h5 -q 2> warnings > made.json
cmp <(value other.smi --test ref.h5) <(value other.smi --test test.smi)
cmp <(value other.smi --test ref.h5 --threads 3) <(value other.smi --test test.smi)
mol-metrics other.smi --test test.smi --measures properties -q 2> warnings | jq '.result.sets[0] | has("NSPDK")'
mol-metrics other.smi --test ref.h5 --measures properties -q > other.json || echo "exit $?"
mol-metrics other.smi --test ref.h5 --measures graph -q || echo "exit $?"
