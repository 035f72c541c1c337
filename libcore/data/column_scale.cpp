#include "libcore/data/column_scale.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"

#include <cmath>

namespace logpx {
namespace {

constexpr double most_off_centre = 3, widest = 3;

}  // namespace

ColumnMoments::ColumnMoments(const DatasetInfo& info) : info_(info), columns_(at(info.dims())) {
  LOGPX_ASSERT(info.element == Element::f32);
}

void ColumnMoments::Column::add(double value) {
  const double off = value - mean;
  count += 1;
  mean += off / count;
  squares += off * (value - mean);
}

void ColumnMoments::add(const Rows& rows) {
  const std::span<const float> values = rows.values<float>();
  const std::vector<std::int64_t>& words = info_.column_words.counts;
  const std::size_t dims = columns_.size();
  for (std::size_t d = 0; d < dims; ++d) {
    const bool numbers = words.empty() || words[d] == 0;
    for (std::size_t i = d; numbers && i < values.size(); i += dims)
      if (!info_.has_missing || !std::isnan(values[i]))
        columns_[d].add(static_cast<double>(values[i]));
  }
}

Standardisation ColumnMoments::scale() const {
  Standardisation scale;
  for (const Column& column : columns_) {
    scale.mean.push_back(column.mean);
    scale.deviation.push_back(column.count > 0 ? std::sqrt(column.squares / column.count) : 1);
  }
  return scale;
}

std::vector<std::int64_t> columns_off_scale(const Standardisation& scale) {
  std::vector<std::int64_t> off;
  for (std::size_t d = 0; d < scale.mean.size(); ++d) {
    const double deviation = scale.deviation[d];
    const bool near = std::abs(scale.mean[d]) <= most_off_centre && deviation <= widest &&
                      (deviation == 0 || deviation >= 1 / widest);
    if (!near) off.push_back(static_cast<std::int64_t>(d));
  }
  return off;
}

}  // namespace logpx
