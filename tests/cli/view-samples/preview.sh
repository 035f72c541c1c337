# --preview draws in the terminal: no line is wider than --width, every line ends with a reset.
make-data digits -n 60 -o digits.h5 -q
view-samples digits.h5 --preview --width 40 --limit 4 > out
escape=$(printf '\033')
grep -c "$escape\[0m\$" out
sed "s/$escape\[[0-9;]*m//g" out | awk '{ if (length($0) > 40 * 3) exit 1 }' && echo narrow
view-samples digits.h5 --preview -o a.png
echo $?
