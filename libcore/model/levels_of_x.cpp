#include "libcore/model/levels_of_x.hpp"

#include <algorithm>

namespace logpx {

LevelsOfX levels_of_columns(const DatasetInfo& data, std::int64_t levels) {
  std::vector<std::int64_t> of_dims = data.column_words.counts;
  for (std::int64_t& count : of_dims)
    if (count == 0 || count > levels) count = levels;
  const auto all = [levels](std::int64_t count) { return count == levels; };
  if (data.column_words.empty() || std::ranges::all_of(of_dims, all)) return {levels};
  return {levels, std::move(of_dims)};
}

}  // namespace logpx
