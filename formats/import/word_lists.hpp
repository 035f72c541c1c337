// The words of the columns of a table, and which columns have so many that they are ids.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace logpx {

class WordList {
 public:
  // `most`: how many different words it keeps.
  explicit WordList(std::size_t most) : most_(most) {}

  // Counts a cell. Once there are too many words only that is known.
  void add(std::string_view word);
  [[nodiscard]] bool has_too_many() const { return too_many_; }
  [[nodiscard]] std::size_t size() const { return counts_.size(); }
  // "87 of its 90 words occur once" or "it has more than 1000 words", where the column names rows;
  // else nothing.
  [[nodiscard]] std::string why_id() const;
  // In the order of their bytes.
  [[nodiscard]] std::vector<std::string> sorted() const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  std::size_t most_;
  std::unordered_map<std::string, std::int64_t, Hash, std::equal_to<>> counts_;
  bool too_many_ = false;
};

}  // namespace logpx
