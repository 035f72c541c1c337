// The extractors that there are, by the words of --extractor. A new one is a class in a file of its
// own and a line of the table.
#pragma once

#include "libcore/features/extractor.hpp"

#include <memory>
#include <string>
#include <vector>

namespace logpx {

// What an extractor learns from before it extracts.
enum class FitsOn { nothing, rows, labelled_rows };
// What it is made of besides its words.
enum class MadeOf { words, model, weights };

struct ExtractorParts {
  DatasetInfo data;                        // of the rows to come, channels as they are wanted
  std::unique_ptr<Model> model = nullptr;  // of MadeOf::model
  std::vector<TensorRef> weights = {};     // of MadeOf::weights; copied
  std::int64_t classes = 0;                // of labelled rows, or of a stored basis
  std::uint64_t seed = 1;                  // of fits and of draws
};

struct ExtractorKind {
  const char* name;      // "pca"
  const char* spelling;  // "pca:K"
  const char* summary;   // "the first K principal axes"
  FitsOn fits_on = FitsOn::nothing;
  MadeOf made_of = MadeOf::words;
  bool wants_colour = false;  // grey pictures are made RGB unasked
  std::unique_ptr<Extractor> (*make)(const std::string& argument, ExtractorParts parts);
};
[[nodiscard]] const std::vector<ExtractorKind>& extractor_kinds();

// "random-conv:1:64": the kind, and "1:64". A usage error for what is none.
struct ExtractorWords {
  const ExtractorKind* kind = nullptr;
  std::string argument;
  [[nodiscard]] std::string text() const;
};
[[nodiscard]] ExtractorWords parse_extractor(const std::string& text);
[[nodiscard]] std::unique_ptr<Extractor> make_extractor(const ExtractorWords& words,
                                                        ExtractorParts parts);

}  // namespace logpx
