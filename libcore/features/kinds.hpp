// All extractors, by the words of --extractor. A new one is a class in its own file and a line in
// the table.
//
//   const ExtractorWords words = parse_extractor("pca:16");
//   const auto extractor = make_extractor(words, {.data = info});
//   extractor->fit(rows, {rng, workers});
#pragma once

#include "libcore/features/extractor.hpp"
#include "libcore/model/abilities.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace logpx {

// What an extractor is fitted on, if no file holds an earlier fit.
enum class FitsOn { nothing, rows, labelled_rows };
// What it is made from besides its words.
enum class MadeOf { words, model, weights };

struct ExtractorKind {
  const char* name;      // "random-conv"
  const char* spelling;  // "random-conv:SEED:D"
  const char* summary;
  FitsOn fits_on = FitsOn::nothing;
  MadeOf made_of = MadeOf::words;
  // Numbers after the name, with the smallest that each may be.
  std::vector<std::int64_t> least = {};
  bool wants_colour = false;  // grey pictures are made RGB unasked
};
[[nodiscard]] const std::vector<ExtractorKind>& extractor_kinds();

// "random-conv:1:64" is a kind with the numbers 1 and 64; "model:vae.h5" has a file.
struct ExtractorWords {
  const ExtractorKind* kind = nullptr;
  std::string text;
  std::vector<std::int64_t> numbers = {};
  std::string file = {};
};
// A usage error about --extractor for anything else.
[[nodiscard]] ExtractorWords parse_extractor(const std::string& text);

struct ExtractorParts {
  DatasetInfo data;                     // the rows to come, with the wanted channels
  AbleModel model = {};                 // for MadeOf::model
  std::vector<TensorRef> tensors = {};  // from a file: an earlier fit, or weights; copied
};
// A data error if the extractor cannot take such rows, or the tensors are not its own.
[[nodiscard]] std::unique_ptr<Extractor> make_extractor(const ExtractorWords& words,
                                                        ExtractorParts parts);

// One function per extractor, in the file of its class; kinds.cpp lists them.
using ExtractorMaker = std::unique_ptr<Extractor> (*)(const ExtractorWords&, ExtractorParts);

// Values of a row, scaled to [0, 1].
[[nodiscard]] std::unique_ptr<Extractor> make_pixels(const ExtractorWords&, ExtractorParts);
// Scores on the first principal axes of such values.
[[nodiscard]] std::unique_ptr<Extractor> make_pca(const ExtractorWords&, ExtractorParts);
// Convolutions with random weights.
[[nodiscard]] std::unique_ptr<Extractor> make_random_conv(const ExtractorWords&, ExtractorParts);
// Posterior means of a model with latents.
[[nodiscard]] std::unique_ptr<Extractor> make_posterior(const ExtractorWords&, ExtractorParts);
// Convolutions fitted to tell classes apart.
[[nodiscard]] std::unique_ptr<Extractor> make_classifier(const ExtractorWords&, ExtractorParts);
// The pool features of Inception v3, with weights that the user has.
[[nodiscard]] std::unique_ptr<Extractor> make_inception(const ExtractorWords&, ExtractorParts);

}  // namespace logpx
