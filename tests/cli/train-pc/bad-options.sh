# Options that make no sense, alone or together, or that nothing reads, are refused before any work.
make-data hmm-text -n 20 --length 12 -o text.h5 -q
make-data digits -n 20 --size 8 -o digits.h5 -q
try() { train-pc text.h5 -o m.h5 --preset tiny -q "$@" || echo "exit $?"; }
try --structure tree
try --hidden -1
try --hidden 10 --factors 3,3
try --factors 3,x
try --factors auto:2
try --hidden 7 --factors auto:2
try --program 1,2,1 --hidden 8
try --factors 2,2 --program 1,3
try --factors 'm=4,2;n=2,2'
try --structure mixture --factors 2,2
try --structure mixture --time-checkpoint sqrt
try --time-checkpoint often
try --tie-leaves all
try --mi-bins 8
try --lr 0
try --lr 1.5
try --lr-final 2
try --em-rule full --batch 5
try --em-rule full --lr 0.5
try --em-rule slow
try --pseudocount -1
try --pseudocount 0 --pseudocount-prior marginal
try --optimizer adam
try --ema 0.9
try --init dirichlet
try --structure hclt --root 12
try --dictionary 8
try --structure hclt --dictionary 99
try --structure hclt --dictionary 1
try --structure hclt --styles 3
try --structure hclt --broad-elements 3
try --least-varied 0.1
try --structure hclt --least-varied 2
try --preset huge
try --binarise-seed 3
train-pc digits.h5 -o m.h5 --preset tiny -q --binarise threshold --binarise-seed 3 || echo "exit $?"
train-pc digits.h5 -o m.h5 --preset tiny -q --dictionary 8 --leaf binomial || echo "exit $?"
train-pc digits.h5 -o m.h5 --preset tiny -q --algorithm gradient || echo "exit $?"
train-pc digits.h5 -o m.h5 --preset tiny -q --styles 2 --arithmetic logsumexp || echo "exit $?"
ls m.* 2> /dev/null
true
