#include "libcore/families/pc/coding/style_symbols.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace logpx::pc {
namespace {

void normalise(std::span<double> shares) {
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= sum;
}

}  // namespace

StyleSymbols::StyleSymbols(std::unique_ptr<codec::SequenceState> state, std::size_t styles,
                           std::size_t item)
    : state_(std::move(state)), item_(item), shares_(styles), sums_(styles), symbols_(styles) {
  begin();
}

void StyleSymbols::begin() {
  state_->begin(shares_.size());
  std::ranges::copy(state_->weights(1), shares_.begin());
  normalise(shares_);
  std::iota(symbols_.begin(), symbols_.end(), 0U);
  state_->advance(symbols_);
  place_ = 0;
}

std::span<const double> StyleSymbols::weights() {
  expected_ = state_->weights(shares_.size());
  mixed_.assign(expected_.size() / shares_.size(), 0.0);
  for (std::size_t c = 0; c < shares_.size(); ++c) {
    const std::span<const double> one = of_style(c);
    sums_[c] = std::accumulate(one.begin(), one.end(), 0.0);
    if (!(sums_[c] > 0)) continue;
    const double weight = shares_[c] / sums_[c];
    for (std::size_t k = 0; k < one.size(); ++k) mixed_[k] += weight * one[k];
  }
  return mixed_;
}

// A symbol that is missing, or impossible in every style, leaves the shares as they were.
void StyleSymbols::advance(std::uint32_t symbol) {
  if (symbol < mixed_.size() && mixed_[symbol] > 0) {
    for (std::size_t c = 0; c < shares_.size(); ++c)
      shares_[c] = sums_[c] > 0 ? shares_[c] * (of_style(c)[symbol] / sums_[c]) : 0.0;
    normalise(shares_);
  }
  std::ranges::fill(symbols_, symbol);
  state_->advance(symbols_);
  if (++place_ == item_) begin();
}

}  // namespace logpx::pc
