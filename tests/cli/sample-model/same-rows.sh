# The first of many samples are those of few; binary files give the codes of the gray ones they were made of.
make-data digits -n 60 --size 8 -o digits.h5 -q
train-vae digits.h5 --preset tiny --binarise threshold -o vae.h5 -q
sample-model vae.h5 -n 200 -o many.h5 -q && sample-model vae.h5 -n 70 -o few.h5 -q
view-samples many.h5 --limit 70 -o many.png -q && view-samples few.h5 --limit 70 -o few.png -q
cmp many.png few.png
view-samples digits.h5 --limit 1 -o d.png -q
sample-model vae.h5 --reconstruct digits.h5 --index 0:1 -o seen.h5 -q
sample-model vae.h5 --encode digits.h5 --index 5:7 -o codes.h5 -q && view-samples codes.h5 > from-gray
sample-model vae.h5 --encode digits.h5 -o all.h5 -q && view-samples all.h5 --rows 5:7 | cut -c1-4 > rows
cut -c1-4 from-gray | cmp - rows
sample-model vae.h5 -n 64 -o - -q | view-samples - -o sheet.png
