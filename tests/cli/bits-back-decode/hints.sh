# What the hint of an error says works.
. "$CLI_TESTS/hints"
given make-data digits -n 400 --size 8 -o digits.h5
given train-pc digits.h5 -o pc.h5 --preset tiny --structure hclt --hidden 4 --styles 1 --steps 60
given train-pc digits.h5 -o other.h5 --preset tiny --structure hclt --hidden 2 --styles 1 --steps 1
given bits-back-encode --effort fast pc.h5 --dataset digits.h5 -o model.lpx
given bits-back-encode --effort fast pc.h5 --dataset digits.h5 --embed-model -o whole.lpx
follow_by 'bits-back-decode pc.h5 model.lpx -o a.idx && mkdir models && cp pc.h5 models &&
  LOGPX_MODEL_PATH=models bits-back-decode model.lpx -o b.idx' bits-back-decode model.lpx -o a.idx
follow_by 'bits-back-decode pc.h5 model.lpx -o c.idx' bits-back-decode other.h5 model.lpx -o c.idx
follow bits-back-decode whole.lpx -o d.idx
seq 500 > words.txt
mkdir one
seq 9 > one/words.txt
given bits-back-encode --fallback-only words.txt
given bits-back-encode --fallback-only words.txt one/words.txt -o two.lpx
FILL[FILE]=e.txt FILL[SUF]=.packed
follow bits-back-decode words.txt.lpx
cp words.txt.lpx words.packed
follow bits-back-decode words.packed
cp words.txt.lpx .lpx
FILL[FILE]=hidden.txt
follow bits-back-decode .lpx
follow_by 'bits-back-decode words.txt.lpx -o f.txt --max-output 1Mi' bits-back-decode words.txt.lpx -o f.txt --max-output 10
seq 400 > like.txt
given bits-back-encode --fallback-only --prime like.txt words.txt -o primed.lpx
follow_by 'bits-back-decode --prime like.txt primed.lpx -o p.txt' bits-back-decode primed.lpx -o p.txt
follow_by 'bits-back-decode --prime like.txt primed.lpx -o q.txt' \
  bits-back-decode --prime words.txt primed.lpx -o q.txt
given bits-back-encode --fallback-only --prime like.txt --embed-model words.txt -o inside.lpx
follow bits-back-decode --prime words.txt inside.lpx -o r.txt
follow_by 'bits-back-encode --fallback-only --prime like.txt --embed-model words.txt -o inside.lpx --force &&
  bits-back-decode inside.lpx -o s.txt' bits-back-decode primed.lpx -o s.txt
follow_by 'bits-back-decode inside.lpx -o t.txt --memory 100M' bits-back-decode inside.lpx -o t.txt --memory 1K
FILL[N]=1
follow_by 'bits-back-decode two.lpx --member 2 -o g.txt' bits-back-decode two.lpx --member verbs -o g.txt
mkdir all
: > all/one
follow_by 'mkdir elsewhere && bits-back-decode two.lpx --output-dir elsewhere' bits-back-decode two.lpx --output-dir all
follow bits-back-decode two.lpx --output-dir nowhere/all
mkdir full
seq 3 > full/words.txt
follow bits-back-decode two.lpx --output-dir full
base64 -d > clear.png << END
iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==
END
given bits-back-encode --fallback-only --pixels clear.png -o pixels.lpx
follow bits-back-decode pixels.lpx --to pnm -o pixels
