# Prices and dates, as spreadsheets of two countries write them, need no option, and what is filled in
# or drawn is written in the same way.
set -u
table() {  # DATE-FORM MARK OTHER SIGN-BEFORE SIGN-BEHIND DELIMITER
  awk -v form="$1" -v mark="$2" -v other="$3" -v before="$4" -v behind="$5" -v cut="$6" 'BEGIN {
    print "sold" cut "price" cut "kind"
    for (i = 0; i < 90; i++) {
      price = (i * 37 % 90 + 1) * 41 + 0.25 * (i % 4)
      text = sprintf("%d%s%02d", price % 1000, other, price % 1 * 100)
      if (price >= 1000) text = sprintf("%d%s%03d%s%02d", price / 1000, mark, price % 1000, other, price % 1 * 100)
      printf form "%s\"%s%s%s\"%s%s\n", 1 + (form ~ /^%d\//? i % 12 : i % 28), 1 + (form ~ /^%d\// ? i % 28 : i % 12), cut, before, text, behind, cut, i % 3 ? "new" : "used"
    }
  }'
}
table '%d/%d/2024' , . '$' '' , > us.csv
table '%02d.%02d.2024' . , '' ' €' ';' > de.csv
for where in us de; do
  head -n 3 $where.csv
  pack-data auto $where.csv -o no.h5
  pack-data csv $where.csv -o $where.h5
  inspect $where.h5 -q | jq -c '.result.columns[] | [.name, .kind, .form]'
  train-pc $where.h5 -o $where.pc.h5 --structure hclt --hidden 4 --steps 20 -q > /dev/null
  { head -n 1 $where.csv; [ $where = us ] && echo ',,used' || echo ';;used'; } > gaps.csv
  query-pc $where.pc.h5 gaps.csv --query impute -o - -q |
    grep -cE '^([0-9]+/[0-9]+/2024,"?\$[0-9,]+\.[0-9]{2}"?,used|[0-9]{2}\.[0-9]{2}\.2024;"?[0-9.]+,[0-9]{2} €"?;used)$'
  query-pc $where.pc.h5 $where.csv --query impute -o $where.same.csv -q > /dev/null && cmp $where.csv $where.same.csv && echo "as it was"
done
query-pc us.pc.h5 --query sample --given 'price=$41.00' -n 1 -o - -q | grep -o '\$41.00'
query-pc us.pc.h5 --query sample --given price=41 -n 1 -o - -q | grep -o '\$41.00'
