#include "libcore/train/epoch_order.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace logpx {

EpochOrder::EpochOrder(std::int64_t rows, std::int64_t step_rows, Short last, std::uint64_t seed)
    : rows_(rows),
      step_rows_(std::min(step_rows, rows)),
      steps_per_epoch_(0),
      rng_(seed),
      order_(static_cast<std::size_t>(rows)) {
  if (rows < 1) fail(ErrorKind::data, "training data", "has no rows");
  const std::int64_t whole = rows / step_rows_;
  steps_per_epoch_ = last == Short::keep && rows % step_rows_ != 0 ? whole + 1 : whole;
}

std::int64_t EpochOrder::samples_before(std::int64_t step) const {
  const std::int64_t per_epoch = std::min(rows_, steps_per_epoch_ * step_rows_);
  return step / steps_per_epoch_ * per_epoch + step % steps_per_epoch_ * step_rows_;
}

std::int64_t EpochOrder::steps_for(std::int64_t samples) const {
  const std::int64_t per_epoch = samples_before(steps_per_epoch_), rest = samples % per_epoch;
  return samples / per_epoch * steps_per_epoch_ + (rest + step_rows_ - 1) / step_rows_;
}

std::span<const std::int64_t> EpochOrder::rows_of(std::int64_t step) {
  if (epoch_of(step) != epoch_) shuffle(epoch_of(step));
  const std::int64_t begin = step % steps_per_epoch_ * step_rows_;
  return std::span(order_).subspan(static_cast<std::size_t>(begin),
                                   static_cast<std::size_t>(std::min(step_rows_, rows_ - begin)));
}

// The permutation of base/rng.hpp, in place.
void EpochOrder::shuffle(std::int64_t epoch) {
  std::iota(order_.begin(), order_.end(), std::int64_t{0});
  Cursor cursor(rng_.stream(Stream::shuffle, static_cast<std::uint32_t>(epoch)));
  for (std::size_t i = order_.size() - 1; i > 0; --i)
    std::swap(order_[i], order_[cursor.below(static_cast<std::uint32_t>(i + 1))]);
  epoch_ = epoch;
}

}  // namespace logpx
