# The redrawn line keeps the time that is left at 80 columns, and ^C leaves no torn line behind.
. "$CLI_TESTS/terminal"
make-data digits -n 240 --size 14 -o digits.h5 -q
train='stty cols 80; exec train-vae digits.h5 --binarise static --preset tiny --steps 100000000 -o vae.h5'
{ sleep 4; printf '\003'; sleep 3; } | TERM=xterm script -qec "bash -c '$train'" /dev/null > screen
tr '\r' '\n' < screen | sed -e 's/\x1b\[K//g' -e 's/\^C$//' | grep '^train-vae  step' > drawn
[ "$(wc -l < drawn)" -ge 5 ] || { cat -v screen; echo "only $(wc -l < drawn) lines"; }
[ "$(tail -n +9 drawn | grep -vc ' eta [0-9:]*$')" = 0 ] || tail -n +9 drawn
[ "$(awk 'length($0) > 77' drawn | wc -l)" = 0 ] || echo "wider than 77"
cat -v screen | grep -o '\^C.*' | sed 's/step [0-9]*/step N/' | sed 's/\^M$//'
