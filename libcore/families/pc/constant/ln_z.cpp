#include "libcore/families/pc/constant/ln_z.hpp"

#include "libcore/base/index.hpp"

namespace logpx::pc {

// Each length alone, so that no number depends on what else was asked.
template <typename T>
double LnZ<T>::of(std::span<const T> theta, std::int64_t steps) {
  const std::lock_guard<std::mutex> lock(guard_);
  if (const auto found = known_.find(steps); found != known_.end()) return found->second;
  const auto values = at(steps * std::ssize(plan_.circuit().variables));
  Columns nothing{.count = 1, .steps = steps, .x = std::vector<std::int32_t>(values, -1)};
  nothing.reals.assign(plan_.circuit().has_reals() ? values : 0, 0.0F);
  nothing.lengths = {steps};
  double nats = 0;
  Pass<T>(plan_, {.columns = 1}).log_p(theta, nothing, std::span(&nats, 1));
  return known_[steps] = nats;
}

template <typename T>
void LnZ<T>::subtract(std::span<const T> theta, const Columns& columns, std::span<double> nats) {
  if (!plan_.circuit().ln_z) return;
  for (std::size_t c = 0; c < at(columns.count); ++c) nats[c] -= of(theta, columns.lengths[c]);
}

template class LnZ<float>;
template class LnZ<double>;

}  // namespace logpx::pc
