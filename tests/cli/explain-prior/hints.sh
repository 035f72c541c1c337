# What the hint of an error says works.
. "$CLI_TESTS/hints"
given make-data bars -n 60 -o bars.h5
given train-vae bars.h5 -o vae.h5 --preset tiny --steps 5
remedy='fit-prior bars.h5 -o kaem.h5 --preset tiny --steps 5 --force &&'
follow_by "$remedy explain-prior kaem.h5 --q 0" explain-prior vae.h5 --q 0
follow_by "$remedy prune-prior kaem.h5 -o p.h5" prune-prior vae.h5 -o p.h5
