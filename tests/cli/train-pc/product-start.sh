# Training starts from the product of models: their states, their content in the provenance, a better start.
set -u
make-data hmm-text -n 200 --length 16 --states 4 --alphabet 6 -o text.h5 -q
try() { train-pc text.h5 -q --force "$@" || echo "exit $?"; }
score() { elbo-eval "$1" text.h5 -q | jq '.result.log_likelihood.value'; }
try -o a.h5 --hidden 3 --epochs 5
try -o b.h5 --hidden 2 --epochs 5 -s 2
start=(--init product:a.h5,b.h5)
try -o p.h5 "${start[@]}" --steps 0
multiply-pc a.h5 b.h5 -o q.h5 --normalize local -q
[ "$(score p.h5)" = "$(score q.h5)" ] && echo "local, as multiply-pc makes it"
try -o p.h5 "${start[@]}" --steps 0 --normalize perron
multiply-pc a.h5 b.h5 -o q.h5 -q --force
[ "$(score p.h5)" = "$(score q.h5)" ] && echo "perron, as multiply-pc makes it"
try -o p.h5 "${start[@]}" --epochs 3 --report report.json
jq -c '[.inputs[] | [.role, .path]]' report.json
inspect p.h5 --provenance -q | jq -c '[.inputs[] | [.role, .kind]]'
try -o drawn.h5 --factors 3,2 --epochs 3
jq -n "$(score p.h5) > $(score drawn.h5)"
try -o p.h5 "${start[@]}" --steps 1 --factors 3,2 --hidden 6 --structure hmm && echo "what it is anyway"
try -o c.h5 --init product:a.h5,b.h5,a.h5 --steps 1 && inspect c.h5 -q | grep -c '"3,2,3"'
try -o p.h5 "${start[@]}" --steps 1 --perturb 0.1 --restarts 2 && echo "perturbed, run by run"
# a checkpoint goes on only from the same models
try -o r.h5 "${start[@]}" --steps 4 --checkpoint-every 2
try -o b.h5 --hidden 2 --epochs 5 -s 3
try -o r.h5 "${start[@]}" --steps 6 --resume 2>&1 | sed 's/[0-9a-f]\{12\}/HASH/g'
# what contradicts it is refused
try -o no.h5 "${start[@]}" --factors 2,3
try -o no.h5 "${start[@]}" --hidden 8
try -o no.h5 "${start[@]}" --structure hclt
try -o no.h5 "${start[@]}" --leaf gaussian
try -o no.h5 "${start[@]}" --inhomogeneous
try -o no.h5 "${start[@]}" --restarts 2
try -o no.h5 "${start[@]}" --init-model a.h5
try -o no.h5 "${start[@]}" --normalize push
try -o no.h5 "${start[@]}" --separator-states a
try -o no.h5 --init product:a.h5
try -o no.h5 --init product:a.h5,none.h5
try -o no.h5 --normalize local
try -o no.h5 --perturb 0.1
make-data hmm-text -n 20 --length 16 --alphabet 5 -o five.h5 -q
train-pc five.h5 -o no.h5 "${start[@]}" -q || echo "exit $?"
ls no.h5 2> /dev/null
true
