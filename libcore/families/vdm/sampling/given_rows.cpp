#include "libcore/families/vdm/sampling/given_rows.hpp"

#include "libcore/base/index.hpp"
#include "libcore/data/row_values.hpp"
#include "libcore/families/vdm/scoring/scored_rows.hpp"

#include <algorithm>
#include <utility>

namespace logpx::vdm {

GivenRows::GivenRows(const DiffusionModel& model, KnownRows given)
    : levels_(model.levels()),
      dims_(model.predictor().dims()),
      given_(std::move(given)),
      x_(take_rows(model, given_.rows.examples(), Labels::ignored).x),
      known_(given_.known.size()) {
  const ChannelsFirst place(model.model_info().samples);
  for (std::size_t i = 0; i < known_.size(); ++i)
    known_[i - i % at(dims_) + place(i % at(dims_))] = given_.known[i];
}

std::int64_t GivenRows::row_of(std::int64_t item) const {
  return item / given_.draws % given_.rows.rows.count;
}

std::span<const double> GivenRows::x(std::int64_t item) const {
  return std::span(x_).subspan(at(row_of(item) * dims_), at(dims_));
}

std::span<const std::uint8_t> GivenRows::known(std::int64_t item) const {
  const std::int64_t row = std::ssize(known_) == dims_ ? 0 : row_of(item);
  return std::span(known_).subspan(at(row * dims_), at(dims_));
}

void GivenRows::keep(std::int64_t item, std::span<double> x) const {
  for (std::size_t d = 0; d < x.size(); ++d)
    if (known(item)[d] != 0) x[d] = this->x(item)[d];
}

void GivenRows::keep_values(std::int64_t item, std::span<float> x) const {
  for (std::size_t d = 0; d < x.size(); ++d) {
    if (known(item)[d] == 0) continue;
    const double value = this->x(item)[d];
    x[d] = static_cast<float>(levels_ > 0 ? static_cast<double>(level_of_value(value, levels_))
                                          : value);
  }
}

void GivenRows::keep_stored(std::int64_t item, std::int64_t to, Rows& rows) const {
  if (levels_ > 0) return;
  const auto from = given_.rows.rows.values<float>().subspan(at(row_of(item) * dims_), at(dims_));
  const auto kept = rows.values<float>().subspan(at(to * dims_), at(dims_));
  const ChannelsFirst place(given_.rows.info);
  for (std::size_t i = 0; i < from.size(); ++i)
    if (known(item)[place(i)] != 0) kept[i] = from[i];
}

}  // namespace logpx::vdm
