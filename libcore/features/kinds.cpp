#include "libcore/features/kinds.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>

namespace logpx {
namespace {

constexpr std::int64_t most_features = 65536;

struct Entry {
  ExtractorKind kind;
  ExtractorMaker make;
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> list = {
      {{.name = "pixels", .spelling = "pixels", .summary = "values of x, scaled to [0, 1]"},
       make_pixels},
      {{.name = "pca",
        .spelling = "pca:K",
        .summary = "scores on the first K principal axes",
        .fits_on = FitsOn::rows,
        .least = {1}},
       make_pca},
      {{.name = "random-conv",
        .spelling = "random-conv:SEED:D",
        .summary = "D projections of what random convolutions see",
        .least = {0, 1}},
       make_random_conv},
      {{.name = "model",
        .spelling = "model:FILE",
        .summary = "posterior means of a model with latents",
        .made_of = MadeOf::model},
       make_posterior},
      {{.name = "classifier",
        .spelling = "classifier:D",
        .summary = "D units of a network that tells classes apart, and its logits",
        .fits_on = FitsOn::labelled_rows,
        .least = {1}},
       make_classifier},
      {{.name = "inception-v3",
        .spelling = "inception-v3",
        .summary = "the 2048 pool features that published FIDs are of; with your weights",
        .made_of = MadeOf::weights,
        .wants_colour = true},
       make_inception}};
  return list;
}

std::string spellings() {
  std::vector<std::string> words;
  for (const ExtractorKind& kind : extractor_kinds()) words.emplace_back(kind.spelling);
  return join_text(words, ", ");
}

[[noreturn]] void fail_spelling(const ExtractorKind& kind, const std::string& text) {
  fail(ErrorKind::usage, "--extractor",
       "'" + text + "' is not written as " + std::string(kind.spelling));
}

std::vector<std::int64_t> numbers_of(const ExtractorKind& kind, const std::string& text,
                                     const std::string& argument) {
  std::vector<std::int64_t> numbers;
  if (!argument.empty())
    for (const std::string& part : split_text(argument, ':')) {
      const auto number = parse_integer(part);
      if (!number) fail_spelling(kind, text);
      numbers.push_back(*number);
    }
  if (numbers.size() != kind.least.size()) fail_spelling(kind, text);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] < kind.least[i]) fail_spelling(kind, text);
  if (!numbers.empty() && numbers.back() > most_features)
    fail(ErrorKind::usage, "--extractor",
         "has " + std::to_string(numbers.back()) + " features, at most " +
             std::to_string(most_features));
  return numbers;
}

}  // namespace

const std::vector<ExtractorKind>& extractor_kinds() {
  static const std::vector<ExtractorKind> kinds = [] {
    std::vector<ExtractorKind> list;
    for (const Entry& entry : entries()) list.push_back(entry.kind);
    return list;
  }();
  return kinds;
}

ExtractorWords parse_extractor(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  const auto kind = std::ranges::find(extractor_kinds(), name, &ExtractorKind::name);
  if (kind == extractor_kinds().end())
    fail(ErrorKind::usage, "--extractor", "there is no '" + text + "', only " + spellings());
  const std::string argument = colon == std::string::npos ? "" : text.substr(colon + 1);
  ExtractorWords words{.kind = &*kind, .text = text};
  if (colon != std::string::npos && argument.empty()) fail_spelling(*kind, text);
  if (kind->made_of == MadeOf::model) {
    if (argument.empty()) fail_spelling(*kind, text);
    words.file = argument;
  } else {
    words.numbers = numbers_of(*kind, text, argument);
  }
  return words;
}

std::unique_ptr<Extractor> make_extractor(const ExtractorWords& words, ExtractorParts parts) {
  const auto entry = std::ranges::find_if(
      entries(), [&](const Entry& e) { return std::string(e.kind.name) == words.kind->name; });
  return entry->make(words, std::move(parts));
}

FitReport Extractor::fit(RowStream&, const FitMachine&) {
  LOGPX_ASSERT(!"there is nothing to fit");
  return {};
}

}  // namespace logpx
