# First parameters: of a model, drawn in several ways, and with states of their own for a separator.
set -u
make-data hmm-text -n 120 --length 16 --states 3 --alphabet 5 -o text.h5 -q
try() { train-pc text.h5 -q --force "$@" || echo "exit $?"; }
score() { elbo-eval "$1" text.h5 -q | jq '.result.log_likelihood.value'; }
try -o a.h5 --hidden 3 --epochs 2
try -o b.h5 --init-model a.h5 --epochs 2
jq -n "$(score b.h5) > $(score a.h5)"
try -o same.h5 --init-model a.h5 --steps 0
[ "$(score same.h5)" = "$(score a.h5)" ] && echo "the model itself"
try -o same.h5 --init-model a.h5 --steps 1 --report report.json
jq -c '.inputs | map(.role)' report.json
for init in softmax-normal dirichlet:0.2 dirichlet:50 from-data; do
  try -o i.h5 --hidden 3 --steps 0 --init $init
  echo "$init $(inspect -q --hash i.h5 | cut -c 1-8)"
done
# Even rows: every symbol is about as likely as any other, whatever the state.
try -o even.h5 --hidden 3 --steps 0 --init dirichlet:1e6
jq -n "$(score even.h5) / 16 | . > -1.612 and . < -1.607"
# No state emits two separators one behind the other.
try -o s.h5 --factors 3,2 --steps 0 --separator-states a
query-pc s.h5 --query loglik --text aa --text ab -q | jq -c '.result.answers | map(.log_likelihood > -15)'
try -o s.h5 --hidden 4 --steps 0 --separator-states 0
query-pc s.h5 --query loglik --text aa --text ab -q | jq -c '.result.answers | map(.log_likelihood > -15)'
try -o s.h5 --hidden 4 --epochs 3 --separator-states a
jq -n "$(score s.h5) > $(score even.h5)"
make-data digits -n 20 --size 8 -o digits.h5 -q
train-vae digits.h5 -o vae.h5 --preset tiny --steps 1 -q --binarise static
try -o no.h5 --init-model vae.h5
try -o no.h5 --init-model none.h5
try -o no.h5 --init-model a.h5 --hidden 3
try -o no.h5 --init-model a.h5 --init from-data
try -o no.h5 --init-model a.h5 --restarts 2
train-pc digits.h5 -o no.h5 --init-model a.h5 -q || echo "exit $?"
try -o no.h5 --init dirichlet:x
try -o no.h5 --separator-states z
try -o no.h5 --separator-states a --structure hclt
try -o no.h5 --restarts 2 --patience 3
try -o no.h5 --restarts 2 --keep-last
ls no.* 2> /dev/null
true
