# logpx help opens an overview by its word, as it lies beside the tools, in the sources or is installed; without help
# before it, and without man, it says what to do; a word that is neither an overview nor a tool is an error.
bin=$(dirname "$(command -v inspect)")
mkdir -p here/build/bin here/build/man here/man path
cp "$bin/logpx" here/build/bin
printf '#!/bin/sh\necho "man $*"\n' > path/man && chmod +x path/man
export PATH=$PWD/path:$PATH
logpx=here/build/bin/logpx
touch here/man/logpx-tutorial.7 here/man/logpx.7
$logpx help tutorial | sed "s|$PWD|.|"
touch here/build/man/logpx-tutorial.7
$logpx help tutorial | sed "s|$PWD|.|"
$logpx help logpx | sed "s|$PWD|.|"
$logpx help models
$logpx tutorial
echo "tutorial: exit $?"
$logpx help nothing
echo "nothing: exit $?"
rm path/man
for name in sh cat dirname readlink sed awk; do ln -s "$(command -v $name)" path; done
PATH=$PWD/path $logpx help trust
echo "no man: exit $?"
