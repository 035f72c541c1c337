// Named ranges of the rows of a dataset: the syntax of --split, and what is worth a warning.
// [data/README 3]
#pragma once

#include "libcore/data/dataset.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace logpx {

// "train:50000,valid:10000" cut in order from n rows; "NAME:80%" takes that share of n, to the
// nearest row, and the last one may be "NAME:rest". "NAME:A-B" is rows A to B-1 wherever the others
// lie; splits that share rows are refused unless overlap is allowed.
enum class Overlap { refuse, allow };
[[nodiscard]] std::vector<Split> parse_splits(const std::string& spec, std::int64_t n,
                                              Overlap overlap = Overlap::refuse);
// 5/6 train, 1/12 valid, 1/12 test; train takes what rounding leaves.
[[nodiscard]] std::vector<Split> default_splits(std::int64_t n);

// "split test has no row of class 3 (dog), which other splits have": one for every split that lacks
// a class which another split holds. `labels` are those of all rows.
[[nodiscard]] std::vector<std::string> lacking_classes(const DatasetInfo& info,
                                                       std::span<const std::int32_t> labels);

}  // namespace logpx
