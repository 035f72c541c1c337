# The page of the digits, as HTML and as Markdown, from the facts that digits-page collects.

# --- numbers and words ---
def fixed($digits): # a number with so many digits after the point
  if . == null then "" else
    (. < 0) as $negative | (fabs * pow(10; $digits) | round | tostring) as $text |
    (("0" * ([$digits + 1 - ($text | length), 0] | max)) // "") + $text |
    (if $digits == 0 then . else .[:-$digits] + "." + .[-$digits:] end) |
    if $negative then "−" + . else . end
  end;
def grouped: tostring | [while(. != ""; .[:-3]) | .[-3:]] | reverse | join(" "); # 1 234 567
def duration: if . == null then "" elif . < 99.5 then "\(fixed(0)) s" else "\(. / 60 | fixed(1)) min" end;
def relation: {exact: "= ", lower_bound: "≤ ", stochastic_lower_bound: "≤ ", upper_bound: "≥ "}[.] // "≈ ";
def kind_in_words:
  {exact: "exact", lower_bound: "lower bound", stochastic_lower_bound: "lower bound on average",
   upper_bound: "upper bound", estimate: "estimate", surrogate: "surrogate, no likelihood"}[.] // .;
def with_error($digits): # of a quantity of a report
  (.value | fixed($digits)) + if .std_error then " ± " + (.std_error | fixed($digits)) else "" end;
def command: map(if test("^[A-Za-z0-9_./:=,@%+-]+$") then . else @sh end) | join(" ");
def source: if .stand_in then "built-in digits, which stand in for MNIST" else "MNIST or what lies in its place in DATA_DIR" end;
def measured: [.models[] | select(.made)];
# What is reported of stand-ins has no published number beside it; of MNIST it is the row of the very digits that
# others report, where they are at hand.
def has_t10k: any(.made.further[]?; .words == "t10k");
def compared: if has_t10k then .title + ", t10k" else .title end;

# --- tables: {caption, head: [{text, number}], rows: [[cell]], best: row number} ---
def scores($title): # of the result of a report: title, nats, bits
  [$title, .log_likelihood, .bits_per_dim],
  (select(.iwae.log_likelihood?) | [$title + ", 100 weights", .iwae.log_likelihood,
    {value: (.bits_per_dim.value * .iwae.log_likelihood.value / .log_likelihood.value)}]);
def model_rows: .stand_in as $stand_in | measured | map(. as $model |
  [ (.made.eval.result | scores($model.title)),
    (.made.further[]? | .words as $words | .result | scores("\($model.title), \($words)")) ] |
  to_entries[] | .key as $place | .value as [$title, $nats, $bits] |
  [ $title, ($nats | with_error(2)), ($nats.kind | kind_in_words), ($nats.kind | relation) + ($bits | with_error(4)) ] +
  (if $stand_in then [] else [if $title == ($model | compared) then $model.published.text // "" else "" end] end) +
  [ ($nats.n | grouped), (if $place == 0 then $model.made.seconds | duration else "" end) ]);
def published_in_words:
  if .stand_in then "" else "; what has been published for a similar model, of MNIST's own test digits (t10k)" +
    (if any(measured[]; has_t10k) then "" else ", which are not at hand: ours are others" end) end;
def model_table: {
  caption: "log p(x) of the held-out digits under each model: the mean over digits ± its standard error; what kind of number that is; the same as bits for each pixel, where a lower bound of log p(x) becomes an upper bound (≤), and = marks exact ones\(published_in_words); how many digits were scored; how long the training took.",
  head: ([{text: "model"}, {text: "nats per digit", number: true}, {text: "kind"}, {text: "bits per pixel", number: true}] +
         (if .stand_in then [] else [{text: "published"}] end) + [{text: "digits", number: true}, {text: "training", number: true}]),
  rows: model_rows };
def judged: [.models[] | select(.made.judged)];
def with_interval($digits): # of a score at infinity
  (.infinity.value | fixed($digits)) + " (" + (.ci95 | map(fixed($digits)) | join(" to ")) + ")";
def judge_table: judged as $judged | {
  caption: "How far draws of each model are from held-out digits, by what \($judged[0].made.judged.result.extractor) fitted on training digits sees: FID and KID at infinitely many draws with their intervals of 95 %, the FID of the draws that there are, which depends on their number, and how many they are. Less is better; bits are held against bits and grey values against grey values, so that only those of one kind can be compared.",
  head: [{text: "model"}, {text: "FID at infinity", number: true}, {text: "KID at infinity", number: true},
         {text: "FID of these draws", number: true}, {text: "draws", number: true}],
  rows: [$judged[] | .made.judged.result as $r | $r.metrics as $m |
    [.title, ($m.fid | with_interval(3)), ($m.kid | with_interval(4)), ($m.fid.at_max_n.value | fixed(3)), ($r.fake.n | grouped)]] };
def pixels: .code.result.original_bytes - 16;
def blocks_by($coders): .code.result.blocks as $blocks | [$coders[] | $blocks[.].blocks // 0] | add;
def by_model: blocks_by(["model", "mixed"]) > 0;
def size_table: .made as $made | ($made | pixels) as $pixels |
  ([ {name: (if ($made | by_model) then "logpx" else "logpx, without the model, which coded no block" end),
      bytes: $made.code.result.archive_bytes, ours: true},
     (select($made.with_model and ($made | by_model)) | {name: "logpx, its model inside the archive", bytes: $made.with_model, ours: true}),
     (select($made.as_set and ($made | by_model)) | {name: "logpx, as a set, of which the order is not kept", bytes: $made.as_set, ours: true}) ] +
   ($made.sizes // []) | sort_by(.bytes)) as $sorted |
  { caption: "What each compressor makes of these \($made.code.result.original_bytes | grouped) bytes (a byte a pixel and a header of 16). The model was trained on other digits and is not counted, but where it says so; JPEG XL and WebP see all digits as one large picture.",
    head: [{text: "compressor"}, {text: "bytes", number: true}, {text: "bits per pixel", number: true}],
    rows: [$sorted[] | [.name, (.bytes | grouped), (8 * .bytes / $pixels | fixed(4))]],
    ours: [$sorted[] | .ours // false] };
def coded: [.models[] | select(.made.code and .made.decode)];
def rate: if . < 10 then fixed(1) else floor | grouped end;
def speed: .made as $made | $made.code.result as $code |
  "Blocks: " + ([ [["model"], "by the model"], [["mixed"], "by the model and the adaptive coder together"],
    [["fallback", "adaptive"], "by the adaptive coder alone"], [["stored"], "stored"] ] |
    map(. as [$coders, $words] | ($made | blocks_by($coders)) | select(. > 0) | "\(.) \($words)") | join(", ")) + ". " +
  (if $code.items then
    "\($code.items / $code.seconds | rate) digits a second were coded\(if $code.verified then " and verified" else "" end), \($code.items / $made.decode.result.seconds | rate) decoded; all"
   else "All digits" end) + " were restored byte for byte.";

def split_in_words: (.splits | map({(.name): .rows}) | add) as $rows |
  "\($rows.train | grouped) to train on, the next \($rows.valid | grouped) for choices while training, the last \($rows.test | grouped) to report";
def run_facts: measured[0].made.eval as $run | [
  ["data", source], ["digits", split_in_words], ["scale", .scale], ["made", ($run.started // "not recorded")],
  ["version", "\($run.version), \($run.commit)"], ["processor", ($run.host.cpu // "not recorded")],
  ["threads", ($run.threads // "not recorded" | tostring)], ["seed", ($run.seed | tostring)],
  ["computing", ([measured[].made | .seconds, .eval.seconds, .judged.seconds, .code.seconds, .decode.seconds | . // 0] | add | duration)] ];
def waiting: [.models[] | select(.made | not) | .title];
def published_notes: if .stand_in then "" else measured | map(select(.published) | "\(.title): \(.published.text) (\(.published.source)).") | join(" ") end;

# --- Markdown ---
def md_table: "| " + (.head | map(.text) | join(" | ")) + " |\n|" + (.head | map(if .number then "---:|" else "---|" end) | join("")) + "\n" +
  (.rows | map("| " + join(" | ") + " |") | join("\n"));
def md: "# Digits, in bits\n\n" + (run_facts | map("\(.[0]): \(.[1])") | join("; ")) + ".\n\n" + (model_table | md_table) +
  "\n" + (published_notes | if . == "" then "" else "\nPublished: \(.)\n" end) + (if judged == [] then "" else "\n\(judge_table.caption)\n\n\(judge_table | md_table)\n" end) + (coded | map("\n\(.file):\n\n\(size_table | md_table)\n\n\(speed)\n") | join("")) +
  if waiting == [] then "" else "\nStill to come: \(waiting | join(", ")).\n" end;

# --- HTML ---
def html_table: . as $table | "<table><caption>\(.caption | @html)</caption><thead><tr>" +
  (.head | map("<th\(if .number then " class=\"number\"" else "" end)>\(.text | @html)</th>") | join("")) + "</tr></thead><tbody>\n" +
  (.rows | to_entries | map("<tr\(if $table.ours[.key]? then " class=\"ours\"" else "" end)>" + (.value | to_entries | map(
    "<td\(if $table.head[.key].number then " class=\"number\"" else "" end) data-label=\"\($table.head[.key].text | @html)\">\(.value | @html)</td>") | join("")) + "</tr>") | join("\n")) +
  "\n</tbody></table>";
def figure($name; $caption): if any(.made.pictures[]?; . == $name) then
  "<figure><a href=\"\($name)\"><img src=\"\($name)\" alt=\"\($caption | @html)\"></a><figcaption>\($caption | @html)</figcaption></figure>\n" else "" end;
def pictures($stand_in): "<h3>\(.title | @html)</h3><p>\(.data | @html)</p>\n" +
  figure("\(.name).training.svg"; "The bound while the \(.title) is trained, on digits that are held back and on those of the training. Fig. 2 of the paper has the same axes\(if $stand_in then "" else "; the level line is where its curve ends" end).") +
  figure("\(.name).samples.png"; (.drawn // "Draws of the \(.title): a latent from the prior, and the mean of p(x|z) there.") + if .draws then " " + .draws else "" end) +
  figure("\(.name).again.png"; "Held-out digits, the mean of p(x|z) at the mean of their posterior, and a draw, under the \(.title).") +
  figure("\(.name).halves.png"; "Ten held-out digits of which the upper half is given: five draws of the lower half of each from p(lower half | upper half) of the \(.title), exactly.") +
  figure("\(.name).png"; "The plane of the \(.title): each place decodes the quantiles of its column and row, as in fig. 4 of the paper.") +
  (. as $model | [$model.sheets[]? | . as $sheet | $model | figure("\(.name).\($sheet.name).png"; $sheet.text)] | join(""));
def files: .name as $name | "<li>\(.title | @html): <a href=\"\($name).h5\">model</a>, <a href=\"\($name).eval.json\">report of its bits</a>, <a href=\"\($name).history.jsonl\">history of its training</a>" +
  (if .made.code then ", <a href=\"\($name).idx.lpx\">archive</a>, <a href=\"\($name).code.json\">report of the coding</a>" else "" end) +
  "<details><summary>commands</summary><pre>" + ([.made | .training, .eval, .judged, .code, .decode | select(.) | .command // empty | command | @html] | join("\n")) + "</pre></details></li>";
def style: "
:root { color-scheme: light dark; --ink: #1b1b1d; --page: #fff; --soft: #5c5c66; --line: #dcdce2; --mark: #eef4ff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8ec; --page: #16161a; --soft: #a5a5b2; --line: #35353d; --mark: #1e2a40; } a { color: #8ab4ff; } }
body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); }
h1, h2 { line-height: 1.2; } h2 { margin-top: 2.5rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; font-size: .9rem; } dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; font-variant-numeric: tabular-nums; }
caption { caption-side: bottom; text-align: left; color: var(--soft); font-size: .9rem; padding-top: .5rem; }
th, td { text-align: left; padding: .3rem .9rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-size: .9rem; color: var(--soft); font-weight: 600; } .number { text-align: right; white-space: nowrap; } td.number:last-child, th.number:last-child { padding-right: .3rem; }
tr.ours td { background: var(--mark); font-weight: 600; }
figure { margin: 1.5rem 0; } img { display: block; max-width: 100%; height: auto; image-rendering: pixelated; background: #fff; }
figcaption, .note { color: var(--soft); font-size: .9rem; } pre { overflow-x: auto; font-size: .8rem; padding: .5rem; background: var(--mark); }
@media (max-width: 40rem) {
  thead { display: none; } tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line); }
  td, td.number { display: flex; justify-content: space-between; gap: 1rem; border: 0; padding: .1rem .3rem; white-space: normal; text-align: right; }
  td::before { content: attr(data-label); color: var(--soft); font-weight: 400; text-align: left; } td:empty { display: none; }
  td:first-child { font-weight: 600; text-align: left; } td:first-child::before { content: none; }
}";
def html: . as $page | "<!doctype html>
<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<title>logpx: digits, in bits</title><style>\(style)</style></head><body>
<h1>Digits, in bits</h1>
<p>Models of handwritten digits are trained, measured in bits, drawn from, and compress files. Every number below was made on this machine\(if published_notes == "" then "" else ", but those that are called published" end).</p>
<dl>" + (run_facts | map("<dt>\(.[0])</dt><dd>\(.[1] | @html)</dd>") | join("")) + "</dl>\n" +
  (if waiting == [] then "" else "<p class=\"note\">Still to come: \(waiting | join(", ") | @html). This page is written again when each is done.</p>\n" end) +
  "<h2>How well the models know digits that they have not seen</h2>\n\(model_table | html_table)\n" +
  (published_notes | if . == "" then "" else "<p class=\"note\">Published: \(. | @html)</p>\n" end) +
  (if judged == [] then "" else "<h2>How close their draws come</h2>\n\(judge_table | html_table)\n" end) +
  "<h2>What they have learned</h2>\n" + (.stand_in as $stand_in | measured | map(pictures($stand_in)) | join("")) +
  (if coded == [] then "" else "<h2>The held-out digits as a file, compressed and restored</h2>\n" + (coded | map("<h3>\(.file | @html)</h3>\n\(size_table | html_table)<p class=\"note\">\(speed | @html)</p>\n") | join("")) +
    "<p class=\"note\">Compressors that are not installed have no row. General compressors see the whole file at once; logpx codes blocks of digits, each on its own.</p>\n" end) +
  "<h2>Files and commands</h2>\n<ul>" + (measured | map(files) | join("\n")) + "</ul>
<p class=\"note\"><code>make reproduce-mnist DATA_DIR=FOLDER</code> uses the MNIST files of a folder (<code>scripts/fetch-data --to FOLDER mnist</code> fetches them); <code>SCALE=paper</code> trains for longer.</p>
</body></html>";
