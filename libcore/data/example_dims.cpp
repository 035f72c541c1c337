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

// Those of `length` elements from `begin` on.
std::int64_t missing_values(const DatasetInfo& info, const Rows& rows, std::int64_t begin,
                            std::int64_t length) {
  if (!info.has_missing) return 0;
  if (info.element == Element::i16)
    return count_missing<std::int16_t>(rows, begin, length, [](std::int16_t v) { return v < 0; });
  if (info.element == Element::f32)
    return count_missing<float>(rows, begin, length, [](float v) { return std::isnan(v); });
  return 0;
}

}  // namespace

std::int64_t longest_example(const DatasetInfo& info) {
  const std::int64_t dims = info.dims();
  return info.content == Content::molecules ? atoms_within(dims) : dims;
}

std::vector<std::int64_t> example_dims(const DatasetInfo& info, const Rows& rows) {
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
