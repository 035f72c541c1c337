# No tool is linked to RDKit: it is loaded when molecules are read or written as SMILES, and not before.
. "$CLI_TESTS/common/setup"
! ldd "$(command -v "$TOOL")" | grep -i rdkit || die "loads RDKit at its start"
