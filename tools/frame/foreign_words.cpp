#include "tools/frame/foreign_words.hpp"

#include "libcore/base/number_text.hpp"

#include <algorithm>

namespace logpx {
namespace {

// The only table of them. Words and tools are separated by blanks; no tools: all have the option.
struct Entry {
  std::string_view words, tools, option, says;
};

constexpr std::string_view coders = "bits-back-encode bits-back-decode", trainers = "train-vae",
                           row_readers = "train-vae elbo-eval pack-data view-samples",
                           makers =
                               "pack-data make-data train-vae sample-model bits-back-encode "
                               "bits-back-decode view-samples plot-report";

constexpr Entry entries[] = {
    {"--random-seed --random-state --manual-seed --rng-seed", "", "--seed", ""},
    {"-T -p --jobs --n-jobs --cores --num-threads --nthreads --workers --num-workers --parallel",
     "", "--threads", ""},
    {"--device --gpu --gpus --cuda --use-cuda --accelerator", "", "",
     "all computing is done by the processor; --threads says how many cores take part"},
    {"-d --data --dataset", "train-vae elbo-eval view-samples inspect make-data plot-report", "",
     "datasets and models are named without an option; --help shows in which order"},
    {"-d", "sample-model", "--data", ""},
    {"--overwrite --clobber --yes -y", "", "--force", ""},
    {"--silent", "", "--quiet", ""},
    {"--no-progress", "", "--progress", "--progress never"},
    {"-V", "", "--version", ""},
    {"--usage --manual", "", "--help", ""},
    {"-M --mem --max-memory --memory-limit", "", "--memory", ""},
    {"--config-file --cfg --params", "", "--config", ""},
    {"--out --outfile --out-file --output-file --output-path --save --save-path --dest", makers,
     "--output", ""},
    {"--nrows --head --max-rows --num-rows --max-samples", row_readers, "--limit", ""},
    // zstd, xz, gzip
    {"-d --decompress --uncompress", "bits-back-encode", "", "bits-back-decode restores files"},
    {"-t --test", "bits-back-encode", "", "bits-back-decode --test checks archives"},
    {"-l --list", "bits-back-encode", "", "bits-back-decode --list tells what archives hold"},
    {"-d --decompress --uncompress -x --extract", "bits-back-decode", "",
     "this tool does nothing else; leave it out"},
    {"-z --compress", "bits-back-encode", "", "this tool does nothing else; leave it out"},
    {"-z --compress", "bits-back-decode", "", "bits-back-encode compresses files"},
    {"-t", "bits-back-decode", "--test", ""},
    {"-l", "bits-back-decode", "--list", ""},
    {"-k --keep", coders, "", "files are kept; only --rm removes them"},
    {"--stdout --to-stdout", coders, "--output", "-o - writes to stdout"},
    {"-D --dict --dictionary", coders, "--prime",
     "--prime FILE is read first; a model, the first operand, does more"},
    {"-r -R --recursive", "bits-back-encode", "",
     "folders need no option: name them as you would name a file"},
    {"--unordered --unsorted --any-order", "bits-back-encode", "--as-set", ""},
    {"--output-dir-flat", coders, "--output-dir", ""},
    {"-1 -2 -3 -4 -5 -6 -7 -8 -9 --level --compression-level --fast --best --ultra",
     "bits-back-encode", "--effort",
     "there are no levels: --effort fast, normal or best says how long the adaptive coder looks"},
    // PyTorch, Keras, scikit-learn
    {"--learning-rate --step-size --eta --lr-rate", trainers, "--lr", ""},
    {"--batch-size --bs --minibatch --mini-batch -b", trainers, "--batch", ""},
    {"--num-epochs --max-epochs --n-epochs --epoch -e", trainers, "--epochs", ""},
    {"--iterations --iters --num-steps --max-steps --max-iter", trainers, "--steps", ""},
    {"--latent-dim --latent-size --n-latent --z-dim --zdim --nz", trainers, "--latent", ""},
    {"--hidden-dim --hidden-size --hidden-units", trainers, "--hidden", ""},
    {"--optim --optimiser", trainers, "--optimizer", ""},
    {"--wd --l2", trainers, "--weight-decay", ""},
    {"--clip --grad-clip --max-grad-norm", trainers, "--clip-norm", ""},
    {"--val --validation --val-data", trainers, "--valid", ""},
    {"--early-stopping", trainers, "--patience", ""},
    {"--num-samples --n-samples --count", "sample-model", "--num", ""},
    {"--num-samples --n-samples --importance-samples", "elbo-eval", "--samples", ""},
    {"--batch-size", "elbo-eval", "--chunk", ""},
    {"--num-samples --n-samples --count --size-of-dataset", "make-data", "--num", ""},
    // pandas, NumPy, Pillow, matplotlib
    {"-t --format", "pack-data", "", "the format is the first operand: pack-data csv FILE"},
    {"--delimiter --sep --separator -d", "pack-data", "",
     "fields of a table are separated by commas, semicolons or tabs; pack-data finds out which"},
    {"--target --target-column --label-col", "pack-data", "--label-column", ""},
    {"--usecols --cols --features", "pack-data", "--columns", ""},
    {"--grayscale --greyscale --grey", "pack-data", "--gray", ""},
    {"--resize --image-size", "pack-data", "--size", "--size WxH, and --fit says how"},
    {"--val-split --test-size --train-size --splits", "pack-data", "--split", ""},
    {"--shuffle", "pack-data", "--shuffle-seed", ""},
    {"--nrow --ncols --rows-cols", "view-samples", "--grid", ""},
    {"--zoom", "view-samples", "--scale", ""},
    {"--figsize --width --height", "plot-report", "--size", ""},
    {"--logscale --log-scale", "plot-report", "--log-y", ""},
};

bool is_one_of(std::string_view word, std::string_view words) {
  const std::vector<std::string> all = split_text(words, ' ');
  return std::find(all.begin(), all.end(), word) != all.end();
}

}  // namespace

std::vector<ForeignWord> foreign_words(std::string_view tool) {
  std::vector<ForeignWord> found;
  for (const Entry& entry : entries) {
    if (!entry.tools.empty() && !is_one_of(tool, entry.tools)) continue;
    for (const std::string& word : split_text(entry.words, ' '))
      found.push_back({word, std::string(entry.option), std::string(entry.says)});
  }
  return found;
}

std::optional<ForeignWord> find_foreign(std::string_view tool, std::string_view word) {
  for (const ForeignWord& known : foreign_words(tool))
    if (known.word == word) return known;
  return std::nullopt;
}

}  // namespace logpx
