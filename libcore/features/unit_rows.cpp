#include "libcore/features/unit_rows.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/data/row_values.hpp"

#include <algorithm>
#include <limits>

namespace logpx {
namespace {

// Maps a stored real value to [0, 1]; identity if the domain has no ends.
struct Stretch {
  float shift = 0, factor = 1;

  explicit Stretch(const DatasetInfo& info) {
    using Limits = std::numeric_limits<float>;
    const double low = info.value_min, high = info.value_max;
    const bool ends = low > static_cast<double>(Limits::lowest()) &&
                      high < static_cast<double>(Limits::max()) && low < high;
    if (info.element != Element::f32 || !ends) return;
    shift = static_cast<float>(low);
    factor = static_cast<float>(1 / (high - low));
  }
  void operator()(std::span<float> x) const {
    if (shift == 0 && factor == 1) return;
    for (float& value : x) value = (value - shift) * factor;
  }
};

}  // namespace

bool is_grey(const DatasetInfo& info) {
  return info.content == Content::image && info.shape.back() == 1;
}

DatasetInfo with_colour(DatasetInfo info) {
  info.shape.back() = 3;
  return info;
}

void unit_rows(const Examples& examples, const DatasetInfo& wanted, std::span<float> x) {
  const DatasetInfo& info = examples.info;
  const std::int64_t dims = info.dims(), copies = wanted.dims() / dims;
  LOGPX_ASSERT(dims * copies == wanted.dims() && (copies == 1 || is_grey(info)));
  LOGPX_ASSERT(std::ssize(x) == examples.rows.count * wanted.dims());
  RowRules rules;
  rules.scale = ValueScale::unit;
  const RowNoise none = evaluation_noise(rules);
  const Stretch stretch(info);
  for (std::int64_t i = 0; i < examples.rows.count; ++i) {
    const auto row = x.subspan(at(i * wanted.dims()), at(wanted.dims()));
    const auto first = row.first(at(dims));
    row_values(info, examples.rows, {.from = i, .number = examples.first + i}, rules, none, first);
    stretch(first);
    for (std::int64_t c = 1; c < copies; ++c)
      std::ranges::copy(first, row.subspan(at(c * dims)).begin());
  }
}

}  // namespace logpx
