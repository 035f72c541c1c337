// Which lines of a list make the split test: a JSON list of their numbers, from 0, or an object
// whose valid_idxs is such a list, as those of GraphDF and GDSS are. Numbers may be texts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace logpx {

class TestIndex {
 public:
  explicit TestIndex(const std::string& path);

  [[nodiscard]] bool holds(std::int64_t line) const;
  // A data error where a number is beyond the lines.
  void require_below(std::int64_t lines) const;

 private:
  std::string path_;
  std::vector<std::int64_t> lines_;  // sorted
};

}  // namespace logpx
