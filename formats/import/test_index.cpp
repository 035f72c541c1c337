#include "formats/import/test_index.hpp"

#include "formats/file/input.hpp"
#include "formats/json/value.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <optional>

namespace logpx {

TestIndex::TestIndex(const std::string& path) : path_(path) {
  const Json json = Json::parse(read_text_file(path), path);
  const Json* const inside = json.find("valid_idxs");
  const Json& list = inside != nullptr ? *inside : json;
  if (!list.is_array())
    fail(ErrorKind::data, path, "is no list of row numbers, nor an object with such valid_idxs");
  for (const Json& item : list.items()) {
    const auto number = item.is_string()    ? parse_integer(item.string())
                        : item.is_integer() ? std::optional(item.integer())
                                            : std::nullopt;
    if (!number || *number < 0)
      fail(ErrorKind::data, path,
           "entry " + std::to_string(lines_.size() + 1) + " is no number of a row, from 0");
    lines_.push_back(*number);
  }
  std::ranges::sort(lines_);
}

bool TestIndex::holds(std::int64_t line) const { return std::ranges::binary_search(lines_, line); }

void TestIndex::require_below(std::int64_t lines) const {
  if (!lines_.empty() && lines_.back() >= lines)
    fail(ErrorKind::data, path_,
         "names row " + std::to_string(lines_.back()) + " of " + std::to_string(lines) +
             ", which are numbered from 0");
}

}  // namespace logpx
