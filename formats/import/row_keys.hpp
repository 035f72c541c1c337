// Rows that belong together: those of one split, or of one group that splits may not part.
//
//   RowKeys keys;
//   for (const char* key : {"train", "test", "train"}) keys.add(key);
//   const std::vector<std::int64_t> order = keys.order({});   // 0, 2, 1
#pragma once

#include "libcore/data/dataset.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace logpx {

class RowKeys {
 public:
  // The key of the next row.
  void add(const std::string& key);
  [[nodiscard]] bool empty() const { return of_row_.empty(); }
  // Rows of one key together, the keys in the order of their first rows, or mixed by a seed.
  [[nodiscard]] std::vector<std::int64_t> order(std::optional<std::int64_t> seed) const;
  // Counts a row, in that order, that is given.
  void give(std::int64_t row);
  // Ranges of the rows that were given, a split for each key.
  [[nodiscard]] std::vector<Split> splits() const;
  // Rows behind which a key ends.
  [[nodiscard]] std::vector<std::int64_t> ends() const;

 private:
  struct Given {
    std::int32_t key;
    std::int64_t count;
  };
  std::unordered_map<std::string, std::int32_t> numbers_;
  std::vector<std::string> names_;
  std::vector<std::int32_t> of_row_;
  std::vector<Given> given_;
};

// Splits whose ends are moved to the nearest of these rows. A data error where one would lose all
// of its rows.
[[nodiscard]] std::vector<Split> end_at_groups(std::vector<Split> splits,
                                               const std::vector<std::int64_t>& ends);

}  // namespace logpx
