#include "libcore/families/pc/styles/style_choice.hpp"

#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <limits>

namespace logpx::pc {

StyleChoice::StyleChoice(const PassPlan& plan, std::span<const float> theta)
    : styles_(at(plan.circuit().styles)) {
  const auto log_of = [](float p) {
    return p > 0 ? det_log(static_cast<double>(p)) : -std::numeric_limits<double>::infinity();
  };
  const auto values = at(plan.circuit().variables[0].categories);
  const float* const prior = theta.data() + plan.style_prior().begin;
  const float* const p = theta.data() + plan.style_values().begin;
  for (std::size_t s = 0; s < styles_; ++s) log_prior_.push_back(log_of(prior[s]));
  for (std::size_t k = 0; k < values; ++k)
    for (std::size_t s = 0; s < styles_; ++s) log_p_.push_back(log_of(p[s * values + k]));
}

std::int32_t StyleChoice::of(std::span<const std::int64_t> counts) const {
  std::vector<double> scores = log_prior_;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] == 0) continue;
    const auto times = static_cast<double>(counts[k]);
    for (std::size_t s = 0; s < styles_; ++s) scores[s] += times * log_p_[k * styles_ + s];
  }
  return static_cast<std::int32_t>(std::ranges::max_element(scores) - scores.begin());
}

void StyleChoice::choose(Columns& columns) const {
  std::vector<std::int64_t> counts(log_p_.size() / styles_);
  columns.styles.clear();
  for (std::int64_t c = 0; c < columns.count; ++c) {
    std::ranges::fill(counts, 0);
    for (std::int64_t i = c; i < std::ssize(columns.x); i += columns.count)
      if (columns.x[at(i)] >= 0) ++counts[at(columns.x[at(i)])];
    columns.styles.push_back(of(counts));
  }
}

}  // namespace logpx::pc
