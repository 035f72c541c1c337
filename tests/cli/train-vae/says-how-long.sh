# Every trainer says once, after its first steps, how long it will take; -q leaves that out.
make-data bars -n 60 -o bars.h5 -q
for tool in train-vae train-vdm train-arm train-pc fit-prior; do
  "$tool" bars.h5 -o "$tool.h5" --preset tiny --steps 8 2> err || cat err
  grep -cE "^$tool: (at most )?about [0-9.]+ (s|m [0-9]+ s|h [0-9]+ m) for [4-7] steps of [0-9.e-]+ ms$" err
  "$tool" bars.h5 -o "$tool.h5" --preset tiny --steps 8 --force -q 2> err
  grep -c about err || true
done
