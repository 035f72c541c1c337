# The completions offer words, splits after FILE.h5:, and files of the kind that an operand wants; in
# bash as readline cuts the words, and in zsh and fish where they are installed.
make-data bars -n 60 -o data.h5 -q
train-vae data.h5 --preset tiny --steps 2 --batch 10 -o vae.h5 -q
touch notes.txt table.csv
mkdir folder
for tool in train-vae elbo-eval bits-back-decode make-data; do
  "$tool" --generate complete-bash > "$tool.bash"
  . "./$tool.bash"
done
ask() {  # words as bash hands them over
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
  "_logpx_${1//-/_}"
  echo "$*: ${COMPREPLY[*]}"
}
ask train-vae --preset p
ask train-vae --likelihood = b
ask train-vae --likelihood =
ask train-vae data.h5 : t
ask train-vae data.h5 :
ask train-vae data.h5:va
ask train-vae --set x=1 ''
ask train-vae data.h5 -o ''
ask train-vae data.h5 --no-
ask train-vae --config v
ask elbo-eval ''
ask elbo-eval vae.h5 ''
ask elbo-eval --samples 3 vae.h5 data.h5 : te
ask elbo-eval --compare ''
ask bits-back-decode ''
ask make-data sh
ask train-vae -q nothing
# The same answers, asked by the other shells.
train-vae --candidates --preset p
train-vae --candidates data.h5:t
elbo-eval --candidates none.h5:t; echo "quiet $?"
# Words that may take a value, and data that may be a number instead.
train-vae --candidates --binarise '' | cut -f 1
train-pc --candidates --structure h | cut -f 1
train-pc --candidates --structure f | cut -f 1
train-vae --candidates --valid d | cut -f 1
train-vae --candidates --valid data.h5:t | cut -f 1
