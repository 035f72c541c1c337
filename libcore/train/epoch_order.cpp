#include "libcore/train/epoch_order.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace logpx {
namespace {

constexpr int blocks_of_window = 32;  // bits of their number

// The permutation of base/rng.hpp, in place.
void shuffle_by(Cursor cursor, std::span<std::int64_t> order) {
  for (std::size_t i = order.size(); i-- > 1;)
    std::swap(order[i], order[cursor.below(static_cast<std::uint32_t>(i + 1))]);
}

}  // namespace

EpochOrder::EpochOrder(std::int64_t rows, std::int64_t step_rows, Short last, std::uint64_t seed,
                       RowChunks chunks)
    : rows_(rows),
      step_rows_(std::min(step_rows, rows)),
      steps_per_epoch_(0),
      chunks_(chunks),
      rng_(seed),
      order_(chunks.any() ? 0 : at(rows)) {
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
  const std::int64_t epoch = epoch_of(step), begin = step % steps_per_epoch_ * step_rows_,
                     end = std::min(begin + step_rows_, rows_);
  if (!chunks_.any()) {
    if (epoch != epoch_) shuffle(epoch);
    return std::span(order_).subspan(at(begin), at(end - begin));
  }
  const std::int64_t in_window = chunks_.rows * chunks_.held;
  step_.clear();
  for (std::int64_t place = begin; place < end;) {
    const std::int64_t first = place / in_window * in_window;
    const std::span<const std::int64_t> window = window_rows(epoch, place / in_window);
    const std::int64_t last = std::min(end, first + std::ssize(window));
    step_.insert(step_.end(), window.begin() + (place - first), window.begin() + (last - first));
    place = last;
  }
  return step_;
}

void EpochOrder::shuffle(std::int64_t epoch) {
  std::iota(order_.begin(), order_.end(), std::int64_t{0});
  shuffle_by(Cursor(rng_.stream(Stream::shuffle, static_cast<std::uint32_t>(epoch))), order_);
  epoch_ = epoch;
}

std::span<const std::int64_t> EpochOrder::window_rows(std::int64_t epoch, std::int64_t window) {
  if (epoch != epoch_) shuffle_chunks(epoch);
  if (window != window_) shuffle_window(epoch, window);
  return order_;
}

// A last chunk with fewer rows stays the last one, so that every window but the last has as many.
void EpochOrder::shuffle_chunks(std::int64_t epoch) {
  const std::int64_t whole = rows_ / chunks_.rows;
  chunk_order_.resize(at((rows_ + chunks_.rows - 1) / chunks_.rows));
  std::iota(chunk_order_.begin(), chunk_order_.end(), std::int64_t{0});
  shuffle_by(Cursor(rng_.stream(Stream::shuffle, static_cast<std::uint32_t>(epoch))),
             std::span(chunk_order_).first(at(whole)));
  epoch_ = epoch;
  window_ = -1;
}

void EpochOrder::shuffle_window(std::int64_t epoch, std::int64_t window) {
  const std::int64_t begin = window * chunks_.held,
                     end = std::min(begin + chunks_.held, std::ssize(chunk_order_));
  order_.clear();
  for (std::int64_t c = begin; c < end; ++c) {
    const std::int64_t first = chunk_order_[at(c)] * chunks_.rows;
    for (std::int64_t row = first; row < std::min(first + chunks_.rows, rows_); ++row)
      order_.push_back(row);
  }
  const auto block = static_cast<std::uint64_t>(window + 1) << blocks_of_window;
  shuffle_by(Cursor(rng_.stream(Stream::shuffle, static_cast<std::uint32_t>(epoch)), block),
             order_);
  window_ = window;
}

}  // namespace logpx
