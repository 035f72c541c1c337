#include "libcore/data/example_dims.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/mol/molecule.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

template <typename T, typename Missing>
std::int64_t count_missing(const Rows& rows, std::int64_t begin, std::int64_t length,
                           const Missing& missing) {
  return std::ranges::count_if(rows.values<T>().subspan(at(begin), at(length)), missing);
}

// How many of `length` elements from `begin` on are missing.
std::int64_t missing_values(const DatasetInfo& info, const Rows& rows, std::int64_t begin,
                            std::int64_t length) {
  if (!info.has_missing) return 0;
  if (info.element == Element::i16)
    return count_missing<std::int16_t>(rows, begin, length, [](std::int16_t v) { return v < 0; });
  if (info.element == Element::f32)
    return count_missing<float>(rows, begin, length, [](float v) { return std::isnan(v); });
  return 0;
}

// How many characters each token has: bytes of UTF-8 that begin one.
std::vector<std::int64_t> characters_of(const std::vector<std::string>& tokens) {
  const auto begins = [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; };
  std::vector<std::int64_t> counts;
  for (const std::string& token : tokens) counts.push_back(std::ranges::count_if(token, begins));
  return counts;
}

template <typename T>
std::vector<std::int64_t> characters_of_rows(const DatasetInfo& info, const Rows& rows) {
  const std::vector<std::int64_t> characters = characters_of(info.tokens);
  const std::int64_t dims = info.dims();
  std::vector<std::int64_t> observed;
  for (std::int64_t i = 0; i < rows.count; ++i) {
    const std::int64_t length = rows.length.empty() ? dims : rows.length[at(i)];
    LOGPX_ASSERT(0 <= length && length <= dims);
    std::int64_t count = 0;
    for (const T token : rows.values<T>().subspan(at(i * dims), at(length)))
      if (token >= 0 && at(token) < characters.size()) count += characters[at(token)];
    observed.push_back(count);
  }
  return observed;
}

}  // namespace

std::int64_t longest_example(const DatasetInfo& info) {
  const std::int64_t dims = info.dims();
  return info.content == Content::molecules ? atoms_within(dims) : dims;
}

std::vector<std::int64_t> example_dims(const DatasetInfo& info, const Rows& rows) {
  if (!info.tokens.empty()) {
    if (info.element == Element::u8) return characters_of_rows<std::uint8_t>(info, rows);
    if (info.element == Element::u16) return characters_of_rows<std::uint16_t>(info, rows);
    return characters_of_rows<std::int16_t>(info, rows);
  }
  if (rows.length.empty() && !info.has_missing) return {};
  const std::int64_t dims = info.dims(), longest = longest_example(info);
  std::vector<std::int64_t> observed;
  for (std::int64_t i = 0; i < rows.count; ++i) {
    const std::int64_t length = rows.length.empty() ? longest : rows.length[at(i)];
    LOGPX_ASSERT(0 <= length && length <= longest);
    if (info.content != Content::molecules) {
      observed.push_back(length - missing_values(info, rows, i * dims, length));
      continue;
    }
    const auto is_unknown = [](std::uint8_t v) { return v == unknown_part; };
    const std::int64_t unknown =
        info.has_missing ? count_missing<std::uint8_t>(rows, i * dims, dims, is_unknown) : 0;
    observed.push_back(dims_of_atoms(length) - unknown);
  }
  return observed;
}

}  // namespace logpx
