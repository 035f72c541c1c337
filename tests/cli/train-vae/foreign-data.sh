# What is no dataset is named, with the command that makes one of it or the tool that makes such files.
make-data bars -n 60 -o bars.h5 -q
train-vae bars.h5 --preset tiny --steps 2 --batch 10 -o vae.h5 -q
printf 'a,b\n1,2\n3,4\n' > table.csv
inspect bars.h5 > report.json 2> /dev/null
train-vae table.csv -o a.h5
train-vae - -o a.h5 < table.csv
train-vae report.json -o a.h5
train-vae vae.h5 -o a.h5
train-vae bars.h5 -o a.h5 --config table.csv
elbo-eval bars.h5 vae.h5
view-samples vae.h5 -o a.png
bits-back-decode bars.h5 table.csv
bits-back-decode vae.h5 bars.h5 -o a
plot-report vae.h5 -o a.svg
plot-report table.csv -o a.svg
pack-data auto table.csv -o a.h5
pack-data idx table.csv -o a.h5
ls
