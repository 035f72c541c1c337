# Molecules are enumerated: exact counts, each once, in an order that follows from the seed.
for atoms in 1 2 3 4 5; do
  make-data molecules --min-atoms $atoms --max-atoms $atoms -o $atoms.h5 -q --json | grep '"n":'
done
view-samples 2.h5 --as graph --limit 19 | sort
make-data molecules --max-atoms 4 -o a.h5 -q
make-data molecules --max-atoms 4 -s 2 -o b.h5 -q
view-samples a.h5 --as graph --limit 1000 > a
view-samples b.h5 --as graph --limit 1000 > b
cmp -s a b || echo 'another order'
sort a | uniq -d
sort a | cmp - <(sort b) && echo 'of the same'
make-data molecules --max-atoms 4 -n 20 -o few.h5 -q
view-samples few.h5 --as graph | cmp - <(head -n 20 a) && echo 'the first 20'
make-data molecules --elements C,S --max-atoms 3 -o cs.h5 -q
view-samples cs.h5 --as graph --limit 1000 | sed 's/  .*//' | sort -u
for bad in '-n 6000' '--elements C,Xe' '--elements C,C' '--elements F' '--min-atoms 6' '--max-atoms 8'; do
  # shellcheck disable=SC2086
  make-data molecules $bad -o no.h5
  echo $?
done
[ ! -e no.h5 ] && echo 'nothing made'
