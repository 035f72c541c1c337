# Rows of a run are the same as in the whole run, for any numbers.
printf '0,1\n1,3\n2,0\n' > d.csv
for numbers in '--qmc none' '--qmc sobol' '--qmc lhs'; do
  # shellcheck disable=SC2086
  sample-its --density d.csv -n 1000 $numbers -o whole.csv -q --force
  # shellcheck disable=SC2086
  sample-its --density d.csv -n 1000 $numbers --rows 300:700 -o part.csv -q --force -j 2
  sed -n '302,701p' whole.csv > want
  sed 1d part.csv | cmp - want || echo "$numbers: other samples"
done
sample-its --density d.csv -n 1000 -s 2 -o other.csv -q
sed 1d other.csv | cmp -s - want && echo "another seed, the same samples"
exit 0
