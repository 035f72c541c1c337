# The experiments end to end at SCALE=tiny, on built-in data: every recipe runs, its page or table is
# written, what was compressed comes back, and nothing is made twice.
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bin=$(dirname "$(command -v inspect)")
recipe() {
  make --no-print-directory -C "$root" -o build OUT="$folder" BIN="$bin" SCALE=tiny DEPS=skip DATA_DIR= "$@" \
    > "$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
}

never() { if "$@"; then echo "unexpected: $*"; exit 1; fi; }

digits=$folder/mnist/tiny-built-in
recipe "$digits/bits.row" # the page is there when the first model is, and says what is still to come
grep -q 'Still to come: .*VAE of grey values' "$digits/index.html"
[ "$(grep -c '^| VAE' "$digits/table.md")" = 3 ] # bound, importance bound, FID and KID
# What chooses an epoch is not reported, and built-in digits have no number of MNIST beside them.
grep -q '; digits: 900 to train on, the next 100 for choices while training, the last 200 to report; ' "$digits/table.md"
jq -e '.command | any(endswith(".h5:test"))' "$digits/bits.eval.json" > "$folder/log"
never grep -qi 'published' "$digits/table.md" "$digits/index.html"
[ ! -e "$digits/bits.paper.json" ]
recipe mnist-page
never grep -q 'Still to come' "$digits/index.html"
grep -q 'the page: .*index.html' "$folder/log"
grep -q 'built-in digits, which stand in for MNIST' "$digits/index.html"
grep -q 'restored byte for byte' "$digits/index.html"
grep -q '| logpx |' "$digits/table.md"
for file in $(grep -oE '(src|href)="[^"]*"' "$digits/index.html" | sed 's/.*="//; s/"$//'); do test -s "$digits/$file"; done
recipe mnist-page # nothing is made twice, and the result is shown all the same
never grep -q train-vae "$folder/log"
grep -q '| VAE of bits |' "$folder/log"
grep -q '| KAEM of bits |.*| lower bound on average |' "$digits/table.md"
grep -qE '^\| KAEM of bits \| [0-9.−]+ \([0-9.−]+ to [0-9.−]+\) \|.*\| 200 \|$' "$digits/table.md" # FID, KID, draws
grep -qE '^\| circuit of (bits|grey values) \|.*\| exact \| = ' "$digits/table.md"
grep -q '^| VDM of bits, 14x14 |' "$digits/table.md"
grep -q '^| LO-ARM of four shades, 14x14 |.*| lower bound on average | ≤ ' "$digits/table.md"
grep -q '^| VAE of grey values, 100 weights |' "$digits/table.md"
for sheet in order completed; do grep -q "src=\"loarm.$sheet.png\"" "$digits/index.html"; done
grep -q 'src="circuit.halves.png"' "$digits/index.html"
for base in none gaussian uniform; do grep -q "src=\"kaem.$base.png\"" "$digits/index.html"; done
grep -q 'the page: .*index.html' "$folder/log"

# Of MNIST, made up here, the page has the numbers of its own test file too, beside those that have been published.
mkdir "$folder/made-up"
as_idx() { # NAME COUNT SEED
  make-data digits -n "$2" --seed "$3" --split train:rest -o "$folder/made-up.h5" --force -q
  bits-back-encode --store --dataset "$folder/made-up.h5" -o "$folder/made-up.lpx" --force -q
  bits-back-decode "$folder/made-up.lpx" -o "$folder/made-up/$1-images-idx3-ubyte" -q
}
as_idx train 60000 1
as_idx t10k 60 2
given=$folder/mnist/tiny
recipe DATA_DIR="$folder/made-up" "$given"/bits.{eval.json,eval-t10k.json,training.svg}
"$root/scripts/recipes/digits-page" "$given" "$folder/data/mnist-given-tiny.h5" tiny bits
grep -q '; digits: 45 000 to train on, the next 5 000 for choices while training, the last 10 000 to report; ' "$given/table.md"
grep -qE '^\| VAE of bits \|.* \|  \| 50 \|' "$given/table.md"
grep -qE '^\| VAE of bits, t10k \|.* \| about −100 nats \| 50 \|' "$given/table.md"
grep -q 'the level line is where its curve ends' "$given/index.html"
jq -e '.series[0].y[0] == -100' "$given/bits.paper.json" > "$folder/log"

for part in bound-mnist bound-frey overfitting manifold iwae evidence context gradients priors sets; do
  recipe "reproduce-vae-$part"
  test -s "$folder/vae/tiny-built-in/$part/table.md"
done
PATH="$bin:$PATH" "$root/scripts/recipes/vae-table" all "$folder/vae/tiny-built-in" "$folder/data/mnist-built-in-tiny.h5" tiny 2> "$folder/log"
[ "$(grep -c '^- not judged at this scale: ' "$folder/vae/tiny-built-in/table.md")" -ge 8 ]
never grep -q '500' "$folder/vae/tiny-built-in/bound-mnist/table.md" # titles say what was trained: 16 units
grep -q 'Bounds on built-in digits: 16 tanh units' "$folder/vae/tiny-built-in/table.md"

for target in reproduce-kaem-{mnist,fmnist,priors,transfer,evidence,schedules} bench-kaem-{latent,temps}; do recipe $target; done
kaem=$folder/kaem/tiny-built-in
PATH="$bin:$PATH" "$root/scripts/recipes/kaem-table" all "$kaem" "$folder/data/mnist-built-in-tiny.h5" tiny 2> "$folder/log"
# Figures of the paper are set beside real data at the paper's scale only.
[ "$(grep -c '^- not judged here: ' "$kaem/table.md")" = 7 ]
[ "$(grep -c '^- not judged at this scale: ' "$kaem/table.md")" = 11 ]
[ "$(grep -c '^| [a-z-]* | \(quadrature\|is\|ais\) | -[0-9.]* | [0-9.]* |' "$kaem/evidence/table.md")" = 14 ]
for file in $(grep -oE '\]\([^)]*' "$kaem/table.md" | sed 's/](//'); do test -s "$kaem/$file"; done
recipe reproduce-kaem-mnist # nothing is made twice
never grep -q fit-prior "$folder/log"

recipe reproduce-fid-bias
judges=$folder/judges/tiny-built-in/fid-bias
[ "$(grep -c '^| [0-9]* | [0-9.]* |' "$judges/table.md")" = 3 ]
[ "$(grep -c '^- not judged at this scale: ' "$judges/table.md")" = 3 ]
test -s "$judges/fid-bias.svg"

recipe reproduce-kaem-svhn # models of pictures in colour join where they have been made
recipe reproduce-kaem-fid
judges=$folder/judges/tiny-built-in/kaem-fid
# Ten models of digits and clothes and two of colours; of eight there are Sobol points too.
[ "$(grep -cE '^\| (KAEM|VAE)[a-z0-9., ]* \| [0-9.]+ \| [0-9.]+ \([0-9.]+ to [0-9.]+\) \|' "$judges/table.md")" = 12 ]
[ "$(grep -c '| [0-9.]* | [0-9.]* ([0-9.]* to [0-9.]*) |$' "$judges/table.md")" = 8 ]
[ "$(grep -c '^- not judged at this scale: ' "$judges/table.md")" = 2 ]
[ "$(grep -c '^The better of KAEM .* and .*: .* by .*fid.*\.$' "$judges/table.md")" = 3 ]
for file in $(grep -oE '\]\([^)]*' "$judges/table.md" | sed 's/](//'); do test -s "$judges/$file"; done
recipe reproduce-kaem-fid # nothing is made twice
never grep -q extract-features "$folder/log"

for target in reproduce-pc-{text,init,gap,images,tokens,prune,memory,density,compress,board}; do recipe $target; done
pc=$folder/pc/tiny-built-in
PATH="$bin:$PATH" "$root/scripts/recipes/pc-table" all "$pc" "$folder/data/text-built-in-tiny.h5" tiny 2> "$folder/log"
[ "$(grep -cE '^\| (dense-[0-9]+|monarch-[0-9]+x[0-9]+) \| [0-9]+ \| [0-9]+ \| [0-9.]+ \|' "$pc/text/table.md")" = 3 ]
[ "$(grep -c '^| C[1-6]: .* |$' "$pc/table.md")" = 6 ]
[ "$(grep -cE '^\| monarch-2x2 \| (step|all) \| (50|90) % \|( [0-9.]+ \|){4}$' "$pc/prune/table.md")" = 4 ]
[ "$(grep -cE '^\| (dense-64|monarch-8x8(-sqrt)?) \| 64 \| 32 x 64 \| - \|( [0-9.]+ MiB \|){4}$' "$pc/memory/table.md")" = 3 ]
[ "$(jq 'map(select(.paper) | .formula_of_the_paper / 1073741824 | round) | join(" ")' -r "$pc/memory/table3.json")" = '288 65 96 128' ]
[ "$(grep -c '^- .*: restored byte for byte$' "$pc/table.md")" = 3 ]
inspect "$pc/compress/text-4x4.h5" --provenance -q | jq -e '.config.init | test("^product:.*text-factor-4-1.h5,.*text-factor-4-2.h5$")' > "$folder/log"
[ "$(grep -cE '^\| (VAE|tree|hidden).* \| [0-9]+ \| [0-9.]+ \| [0-9]+ \|' "$pc/board/table.md")" = 4 ]
[ "$(grep -cE '^\| mixture \| 10 \| (2|4-long) \| -[0-9.]+ \| -[0-9.]+ ± [0-9.]+ \(exact\) \| - \| [0-9.]+ \|' "$pc/density/table.md")" = 1 ]
[ "$(grep -cE '^\| (dense-4|monarch-2x2|quad-4) \| 4 \| [0-9]+ \|( [0-9.]+ \|){4}$' "$pc/images/table.md")" = 3 ]
jq -e '.result.comparable_to_rgb == false' "$pc/images/quad-4-lossy.json" > "$folder/log"
jq -es 'map(.table) == [5]' "$pc/images/table5.json" > "$folder/log"
test -s "$pc/images/fig7.svg"
# Without SentencePiece there are no tokens.
if pack-data --version | grep -qx 'sentencepiece with'; then
  [ "$(grep -cE '^\| (dense-4|monarch-2x2) \| 4 \| 16 \|( [0-9.]+ \|){4}$' "$pc/tokens/table.md")" = 2 ]
  jq -es 'map(.table) == [4]' "$pc/tokens/table4.json" > "$folder/log"
else
  grep -q '^- left out: ' "$pc/tokens/table.md"
fi
for file in $(grep -oE '\]\([^)]*' "$pc/table.md" | sed 's/](//'); do test -s "$pc/$file"; done
[ "$(grep -cE '^\| 2x2 \| (random|product) \| (16|24) \| [0-9.]+ \| [0-9.]+ \| [0-9.]+ \| [0-9.]+ \|$' "$pc/table.md")" = 2 ]
[ "$(grep -cE '^\| [48] \| [0-9.]+ \| [0-9.]+ \| 2x[24] \| -?[0-9.]+ ± [0-9.]+ \| - \|$' "$pc/table.md")" = 2 ]
[ "$(grep -c '^- not judged at this scale: ' "$pc/table.md")" = 7 ]
# A product has its factors in its provenance, and was trained as the model beside it was.
[ "$(inspect "$pc/init/product-2x2-2.h5" --provenance -q | jq -c '[.inputs[] | select(.role == "factor").path | sub(".*/"; "")]')" = '["factor-2-21.h5","factor-2-22.h5"]' ]
trained() { inspect "$pc/$1.h5" --provenance -q | jq -S '.config | del(.init, .factors, .normalize, .perturb)'; }
[ "$(trained init/product-2x2-2)" = "$(trained text/monarch-2x2-2)" ]
jq -es 'map(.table) == [1, 2, 6]' "$pc"/{text/table1,init/table2,text/table6}.json > "$folder/log"
recipe reproduce-pc-text reproduce-pc-init reproduce-pc-gap reproduce-pc-images reproduce-pc-tokens # nothing is made twice
never grep -q train-pc "$folder/log"

for target in reproduce-vdm-{gauss,even,img8,var,coding,swirl,mnist,weighted,speed,cifar10}; do recipe $target; done
vdm=$folder/vdm/tiny
PATH="$bin:$PATH" "$root/scripts/recipes/vdm-table" all "$vdm" "$vdm/gray8.h5" tiny 2> "$folder/log"
[ "$(grep -c '^- not judged at this scale: ' "$vdm/table.md")" = 29 ]
grep -q '^- every archive was restored byte for byte' "$vdm/table.md"
[ "$(jq -s 'add | length' "$vdm"/*/claims.json)" -ge 24 ]
for file in $(grep -oE '\]\([^)]*' "$vdm/table.md" | sed 's/](//'); do test -s "$vdm/$file"; done
# Models that are compared were trained alike, but for what the comparison is about.
trained() { inspect "$vdm/img8/$1.h5" --provenance -q | jq -S '.config | del(.timesteps)'; }
for one in t10 t100; do [ "$(trained $one)" = "$(trained t0)" ]; done
[ "$(grep -cE '^\| (T = 10|T = 100|continuous time) \| 5 of [0-9]+ rows \| .* \| linear, -11.6 to 4 \| 5 \| [0-9.]+ \|$' "$vdm/img8/table.md")" = 3 ]
[ "$(grep -cE '^\| (T = 10|T = 100|continuous time) \|( [0-9.]+ ± [0-9.]+ \|){3}$' "$vdm/img8/table.md")" = 3 ]
trained() { inspect "$vdm/$1.h5" --provenance -q | jq -S '.config | del(.weight, .schedule, .learn_endpoints, .gamma_lr_mult, .seed)'; }
[ "$(trained weighted-built-in/vlb-1)" = "$(trained weighted-built-in/simple-2)" ]
[ "$(trained speed/linear-1.at-4)" = "$(trained speed/alpha-cosine-2.at-4)" ]
[ "$(grep -cE '^\| (vlb|simple) \| [12] \| [0-9.]+ \| [0-9.]+ \|$' "$vdm/weighted-built-in/table.md")" = 4 ]
[ "$(grep -cE '^\| (monotone|linear|beta-linear|alpha-cosine) \|( [0-9.]+ ± [0-9.]+ \|){3}$' "$vdm/speed/table.md")" = 4 ]
[ "$(grep -cE '^\| (continuous|at-2|at-4) \| ≤ .* \| 2 \| (2.65|-) \|$' "$vdm/cifar10/table.md")" = 3 ]
[ "$(grep -cE '^\| (own|linear|beta-linear|alpha-cosine) \| [0-9.]+ \| [0-9.]+ \|$' "$vdm/cifar10/table.md")" = 4 ]
[ "$(grep -c '^- not judged here: ' "$vdm/cifar10/table.md")" = 3 ]
for part in weighted-built-in speed cifar10; do
  for file in $(grep -oE '\]\([^)]*' "$vdm/$part/table.md" | sed 's/](//'); do test -s "$vdm/$part/$file"; done
done
for target in reproduce-vdm-{img8,weighted,speed,cifar10}; do # nothing is made twice
  recipe $target
  never grep -qE 'train-vdm|elbo-eval|sample-model' "$folder/log"
done
recipe mnist-page # the page of digits has what was made here
never grep -q train- "$folder/log"
grep -qE '^\| VDM of grey values \|.*\| lower bound on average \| ≤ ' "$digits/table.md"
grep -q '^| VDM of grey values, uniform 2 |' "$digits/table.md"
grep -q 'src="vdm-mnist.class-1.png"' "$digits/index.html"
grep -qE '^\| VAE of grey values, neighbours \|.*\| lower bound on average \| ≤ ' "$digits/table.md"
grep -q 'src="context.samples.png"' "$digits/index.html"

for target in reproduce-loarm-{toy,mol,mnist,order}; do recipe $target; done
loarm=$folder/loarm/tiny
PATH="$bin:$PATH" "$root/scripts/recipes/loarm-table" all "$loarm" "$loarm/toy/hub.h5" tiny 2> "$folder/log"
[ "$(grep -cE '^\| (ao|st-st|st-sep) \| [12] \| -[0-9.]+ \| -[0-9.]+ \| [0-9.]+ \|' "$loarm/table.md")" = 6 ]
[ "$(grep -c '^- not judged at this scale: ' "$loarm/table.md")" = 8 ]
[ "$(grep -c '^- reported: ' "$loarm/table.md")" = 4 ]
[ "$(grep -cE '^\| (any|learned) \| ≤ [0-9.]+ \| -[0-9.]+ \|' "$loarm/table.md")" = 2 ]
grep -q '^| learned order | ≤ ' "$loarm/table.md" && grep -q '^| circuit of bits | = ' "$loarm/table.md"
[ "$(grep -cE '^\| (policy|greedy|fixed|any) \| [0-9]+ \|' "$loarm/table.md")" = 8 ]
[ "$(grep -cE '^\| (hub|digits) \| 1 and 2 \| -?[0-9.]+ \|$' "$loarm/table.md")" = 2 ]
for file in $(grep -oE '\]\([^)]*' "$loarm/table.md" | sed 's/](//'); do test -s "$loarm/$file"; done
recipe reproduce-loarm-mnist # nothing is made twice
never grep -q train-arm "$folder/log"
recipe mnist-page # the page of digits has what was made here
never grep -q train- "$folder/log"
grep -q '^| LO-ARM of bits |' "$digits/table.md"
grep -q '^| LO-ARM of four shades, longer, any order |' "$digits/table.md"
for sheet in order path completed; do grep -q "src=\"loarm-shades.$sheet.png\"" "$digits/index.html"; done
for file in $(grep -oE '(src|href)="[^"]*"' "$digits/index.html" | sed 's/.*="//; s/"$//'); do test -s "$digits/$file"; done
[ "$(grep -cE '^\| (ao|biased|st-st|st-sep|ent-st) \| 1 \| ≤ [0-9.]+ \| ≤ [0-9.]+ \| ≤ [0-9.]+ \|' "$loarm/mol/table.md")" = 5 ]
[ "$(grep -c '^- not judged at this scale: ' "$loarm/mol/table.md")" = 4 ]
grep -q 'Draws, 120 of each, are valid' "$loarm/mol/table.md"
[ "$(grep -cE '^\| (policy|greedy|fixed|any) \| [0-9]+ \|' "$loarm/mol/table.md")" = 4 ]
[ "$(grep -cE '^\| (ao|biased|st-st|st-sep|ent-st) \| 1 \| [0-9.]+ % \| [ENA]+, [0-9.]+ % \|' "$loarm/mol/table.md")" = 5 ]
for file in $(grep -oE '\]\([^)]*' "$loarm/mol/table.md" | sed 's/](//'); do test -s "$loarm/mol/$file"; done
recipe reproduce-loarm-mol # nothing is made twice
never grep -q train-arm "$folder/log"

# Molecules in learned orders, on built-in ones; where there is no RDKit, tables lack what it would say.
for target in reproduce-loarm-{qm9,zinc,topp,templates,coding}; do recipe $target; done
molecules=$folder/molecules/tiny
PATH="$bin:$PATH" "$root/scripts/recipes/molecules-table" all "$molecules" "$molecules/qm9/data.h5" tiny 2> "$folder/log"
[ "$(grep -cE '^\| (ao|biased|st-sep), seed 1 \| ≤ [0-9.]+ \|' "$molecules/qm9/table.md")" = 3 ]
[ "$(grep -cE '^\| (ao|st-sep), seed 1 \| ≤ [0-9.]+ \| [0-9.]+ \|' "$molecules/zinc/table.md")" = 2 ]
[ "$(grep -cE '^\| (1|0.9|0.75|0.5|0.3) \|' "$molecules/topp/table.md")" = 5 ]
grep -qE '^\| st-sep \| 1 \| [0-9.]+ \| 99.9 \| [ENA]+ \|' "$molecules/templates/table.md"
grep -qE '^\| learned order, as a set \| [0-9]+ \|' "$molecules/coding/table.md"
never grep -qE '^- (pass|\*\*fail\*\*): ' "$molecules/table.md"
if [ -e "$bin/../lib/liblogpx-chemistry.so" ]; then
  grep -qE '^\| the data to learn from \| \| \| \| 100.00 \|' "$molecules/qm9/table.md"
  grep -q '](qm9/st-sep.1.svg)' "$molecules/table.md" && grep -q '](templates/st-sep.1.path.svg)' "$molecules/table.md"
fi
for file in $(grep -oE '\]\([^)]*' "$molecules/table.md" | sed 's/](//'); do test -s "$molecules/$file"; done
for target in reproduce-loarm-{qm9,coding}; do # nothing is made twice
  recipe $target
  never grep -qE 'train-arm|mol-metrics|bits-back' "$folder/log"
done

# RESULTS.md holds each experiment's table once, and reproduce-all knows every experiment.
"$root/scripts/recipes/results" "$folder" tiny > "$folder/RESULTS.md"
grep -qx '## mnist/tiny-built-in' "$folder/RESULTS.md"
grep -qx '## vae/tiny-built-in' "$folder/RESULTS.md"
grep -qx '## kaem/tiny-built-in' "$folder/RESULTS.md"
grep -qx '## judges/tiny-built-in/fid-bias' "$folder/RESULTS.md"
[ "$(grep -c 'Bounds on built-in digits' "$folder/RESULTS.md")" = 1 ]
grep -qx '## judges/tiny-built-in/kaem-fid' "$folder/RESULTS.md"
grep -qx '## pc/tiny-built-in' "$folder/RESULTS.md"
grep -qx '## vdm/tiny' "$folder/RESULTS.md"
grep -qx '## loarm/tiny' "$folder/RESULTS.md"
grep -qx '## molecules/tiny' "$folder/RESULTS.md"
grep -qx '## mnist/tiny' "$folder/RESULTS.md" # of the digits made up above
[ "$(grep -c '^## [a-z]*/tiny' "$folder/RESULTS.md")" = 10 ]
# What each paper claims comes first, with the verdict, the seconds and the commit of the experiment; one that has no
# target says so, and one that was not run.
grep -qE '^\| fig. 2 \| the bound of AEVB .*\| not judged at this scale \| J = 3: .*\| `reproduce-vae-bound-mnist` \| [0-9]+ \| [0-9a-f]{7,}' "$folder/RESULTS.md"
grep -qE '^\| tab. 1 \| .* is drawn in .*\| no target \| no target times draws' "$folder/RESULTS.md"
for file in $(grep -oE '\]\(vae/[^):]*' "$folder/RESULTS.md" | sed 's/](//'); do test -s "$folder/$file"; done # from where it lies

make --no-print-directory -C "$root" list > "$folder/list"
grep -q '^reproduce-mnist .* min .* GB' "$folder/list"
DEMO_EPOCHS=1 "$root/scripts/demo" "$folder/demo" > "$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
grep -q 'restored, byte for byte' "$folder/log"
grep -q '| KAEM of bits |' "$folder/log"
grep -q '| LO-ARM of four shades, 14x14 |' "$folder/log"
test -s "$folder/demo/index.html"
