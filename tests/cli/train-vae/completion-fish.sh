# fish offers what the tool says, and no other files.
command -v fish > /dev/null || { echo "no fish" >&2; exit 77; }
make-data bars -n 60 -o data.h5 -q
touch notes.txt
train-vae --generate complete-fish > tool.fish
for line in 'train-vae --preset p' 'train-vae --likelihood=be' 'train-vae data.h5:t' 'train-vae ' 'train-vae n'; do
  echo "$line: $(fish -c "source tool.fish; complete -C '$line'" | cut -f 1 | tr '\n' ' ')"
done
