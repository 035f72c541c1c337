# What the hint of an error says works.
. "$CLI_TESTS/hints"
given make-data hmm-text -n 60 --length 8 -o text.h5
given make-data bars -n 60 -o bars.h5
given train-vae bars.h5 -o vae.h5 --preset tiny --steps 5
given train-pc text.h5 -o m.h5 --hidden 2 --epochs 1
follow query-pc m.h5
follow query-pc m.h5 text.h5 --text ab
follow query-pc m.h5 --text ab -o rows.h5
FILL[C]=#
follow query-pc m.h5 --text 'a#b'
remedy='train-pc text.h5 -o c.h5 --hidden 2 --epochs 1 --force &&'
follow_by "$remedy query-pc c.h5 text.h5" query-pc vae.h5 bars.h5
