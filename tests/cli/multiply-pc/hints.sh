# What the hint of an error says works.
. "$CLI_TESTS/hints"
given make-data hmm-text -n 60 --length 8 -o text.h5
given make-data tree -n 60 --dim 4 -o table.h5
given make-data digits -n 60 --size 8 -o digits.h5
given train-pc text.h5 -o a.h5 --hidden 2 --epochs 1
given train-pc table.h5 -o t.h5 --structure hclt --hidden 2 --steps 2
given train-pc digits.h5 -o g.h5 --structure hclt --hidden 2 --steps 2
follow multiply-pc a.h5 -o p.h5
follow multiply-pc a.h5 a.h5 -o p.h5 --normalize push
follow multiply-pc t.h5 t.h5 -o q.h5 --normalize perron
remedy='train-pc digits.h5 -o h.h5 --structure hclt --hidden 2 --steps 2 --dictionary 0'
follow_by "$remedy && multiply-pc h.h5 h.h5 -o hh.h5" multiply-pc g.h5 g.h5 -o gg.h5
given multiply-pc a.h5 a.h5 -o none.h5 --normalize none
follow_by 'multiply-pc a.h5 a.h5 a.h5 -o three.h5' multiply-pc none.h5 a.h5 -o three.h5
follow elbo-eval none.h5 text.h5 --eval stream:1
