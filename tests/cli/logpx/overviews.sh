# logpx help opens an overview by its word, as it lies beside the tools or is installed; a word that is neither an overview
# nor a tool is an error.
bin=$(dirname "$(command -v inspect)")
mkdir -p here/bin here/man path
cp "$bin/logpx" here/bin
printf '#!/bin/sh\necho "man $*"\n' > path/man && chmod +x path/man
export PATH=$PWD/path:$PATH
touch here/man/logpx-tutorial.7
here/bin/logpx help tutorial | sed "s|$PWD|.|"
here/bin/logpx help models
printf '#!/bin/sh\nexit 1\n' > path/man
here/bin/logpx help nothing
echo "nothing: exit $?"
