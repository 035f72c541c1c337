# A run goes on from its checkpoint to the same bytes; with other settings, or another structure, it does not.
set -u
make-data hmm-text -n 80 --length 12 -o text.h5 -q
whole=(train-pc text.h5 --preset tiny --batch 10 --lr-schedule constant --lr 0.5 -q)
"${whole[@]}" --steps 8 -o whole.h5
"${whole[@]}" --steps 4 -o half.h5 --resume
"${whole[@]}" --steps 8 -o half.h5 --resume --force
cmp whole.h5 half.h5 && echo "the same model"
"${whole[@]}" --steps 12 -o half.h5 --resume --force --em-rule params || echo "exit $?"
"${whole[@]}" --steps 12 -o half.h5 --resume --force --hidden 8 || echo "exit $?"
