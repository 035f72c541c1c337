// Whether a model was trained on the rows that it is now evaluated on, judged by the rows in its
// provenance: of the same dataset, or of another that was cut from the same source.
#pragma once

#include "formats/dataset_file.hpp"
#include "formats/json/value.hpp"

#include <cstdint>
#include <string>

namespace logpx {

struct SeenRows {
  enum class Answer { none, some, all, unknown };
  Answer answer = Answer::unknown;
  std::int64_t count = 0;  // of the rows asked for
};
[[nodiscard]] const char* word_of(SeenRows::Answer answer);

// `model` and `dataset` are the provenances of the two, `hash` is the dataset's content hash.
struct Ancestry {
  Json model, dataset;
  std::string hash;
};
[[nodiscard]] SeenRows rows_seen(const Ancestry& ancestry, RowSelection rows);

}  // namespace logpx
