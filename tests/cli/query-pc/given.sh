# What is known of columns is said by their names: values, sets and ranges, in every query that goes
# through what is not known.
set -eu
awk 'BEGIN { srand(5); print "job,age,when,price,size"
  split("clerk nurse \"cook, chief\"", jobs, " "); jobs[3] = "\"cook, chief\""; split("small medium large", sizes, " ")
  for (i = 0; i < 600; ++i) {
    k = int(3 * rand()); age = int(20 + 10 * k + 25 * rand()); day = int(1 + 28 * rand())
    printf "%s,%d,2020-%02d-%02d,%.2f,%s\n", jobs[k + 1], age, 1 + k * 3 + int(3 * rand()), day,
      100 * (k + 1) + 60 * (rand() + rand() - 1) + age, sizes[1 + int((age - 20) / 16)] } }' > t.csv
pack-data csv t.csv --type 'size=ordered:small<medium<large' -o t.h5 -q
train-pc t.h5 -o m.h5 --structure table -q > /dev/null
ask() { query-pc m.h5 "$@" -o - -q; }
p() { ask --query probability "$@" | tail -n 1 | cut -d, -f3; }
near() { awk -v a="$1" -v b="$2" 'BEGIN { print ((a - b) ^ 2 < 1e-12 ? "the same" : a " " b) }'; }
add() { awk 'BEGIN { for (i = 1; i < ARGC; ++i) s += ARGV[i]; printf "%.17g\n", s }' "$@"; }
echo "a set is the sum of its values"
near "$(p 'job=clerk|nurse')" "$(add "$(p job=clerk)" "$(p job=nurse)")"
near "$(p 'size>small')" "$(p 'size=medium|large')"
near "$(p 'job="cook, chief"')" "$(p 'job=cook, chief')"
echo "a range and the rest are everything"
near 1 "$(add "$(p 'price>250')" "$(p 'price<=250')")"
near "$(p 'age<50')" "$(add "$(p 'age<40')" "$(p 'age>=40,age<50')")"
near 1 "$(add "$(p 'when>=2020-04-01')" "$(p 'when<2020-04-01')")"
echo "evidence goes with evidence: p(a, b) = p(a) p(b | a)"
both=$(p 'price>250,job=nurse' --given 'size=small|medium')
near "$both" "$(awk -v a="$(p job=nurse --given 'size=small|medium')" -v b="$(p 'price>250' --given 'job=nurse' --given 'size=small|medium')" 'BEGIN { printf "%.17g", a * b }')"
near "$both" "$(awk -v a="$(ask --query loglik --given 'price>250,job=nurse,size=small|medium' | tail -n 1 | cut -d, -f2)" \
  -v b="$(ask --query loglik --given 'size=small|medium' | tail -n 1 | cut -d, -f2)" 'BEGIN { printf "%.17g", exp(a - b) }')"
echo "a marginal and an expectation, given a range"
ask --query marginal --vars job --given 'price>=300' | awk -F, 'NR > 1 { s += $(NF - 1) } END { print (s - 1) ^ 2 < 1e-12 }'
ask --query expect --vars price --given 'price>=300,price<=320' | awk -F, 'NR > 1 { print ($3 > 300 && $3 < 320 && $5 < 400 / 4) }'
ask --query expect --vars when --given 'when>=2020-06-01' | cut -d, -f2 | tail -n 1
echo "draws, fills and the most probable rows lie there"
ask --query complete -n 50 --given 'price>=300,job=nurse|clerk,size=large' |
  awk -F, 'NR > 1 { print ($(NF - 1) >= 300), $NF, $(NF - 4) == "nurse" || $(NF - 4) == "clerk" }' | sort -u
ask --query sample -n 50 --given 'age<30' | awk -F, 'NR > 1 { print ($(NF - 3) < 30) }' | sort -u
ask --query map --given 'age<30,job=nurse' | awk -F, 'NR > 1 { print $(NF - 4), ($(NF - 3) < 30) }'
ask --query mpe --given 'when<2020-02-01' | grep -c '2020-01'
echo "rows, in the place of what they have there"
printf 'job,age,when,price,size\nclerk,,,150.00,\n,30,,,small\n' > rows.csv
ask rows.csv --query expect --vars age --given job=nurse > as-said.csv
sed 's/^clerk/nurse/; s/^,30/nurse,30/' rows.csv > nurses.csv
ask nurses.csv --query expect --vars age | cmp - as-said.csv && echo "they are nurses"
ask rows.csv --query impute --given 'price>=400' | awk -F, 'NR > 1 { print ($4 >= 400) }'
ask rows.csv --query probability 'age>=25' --given 'job=clerk|nurse' | cut -d, -f1
ask rows.csv --query probability 'size=small' --known age | cut -d, -f1 | wc -l
echo "columns by name"
ask rows.csv --query loglik --known job,price | cut -d, -f2 > known.csv
printf 'job,age,when,price,size\nclerk,,,150.00,\n,,,,\n' > hidden.csv
ask hidden.csv --query loglik | cut -d, -f2 | cmp - known.csv && echo "the rest is hidden"
