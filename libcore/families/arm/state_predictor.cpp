#include "libcore/families/arm/state_predictor.hpp"

#include "libcore/base/index.hpp"
#include "libcore/base/stop.hpp"

#include <algorithm>

namespace logpx::arm {
namespace {

constexpr std::int64_t most_states = 64, most_numbers = 1 << 21;

}  // namespace

std::int64_t states_at_once(const StatePredictor& predictor) {
  return std::clamp<std::int64_t>(most_numbers / (predictor.dims() * predictor.levels()), 1,
                                  most_states);
}

void look_at_states(const StatePredictor& predictor, std::int64_t count,
                    const std::function<void(std::int64_t, StateRow)>& fill,
                    const std::function<void(std::int64_t, const StateView&)>& see) {
  const std::size_t dims = at(predictor.dims()), levels = at(predictor.levels());
  const std::int64_t held = std::min(states_at_once(predictor), count);
  std::vector<std::int32_t> x(at(held) * dims);
  std::vector<std::uint8_t> seen(at(held) * dims);
  Looks looks;
  for (std::int64_t first = 0; first < count; first += held) {
    stop::check();
    const std::size_t now = at(std::min(held, count - first));
    const auto own = [&](auto& all, std::size_t i) {
      return std::span(all).subspan(i * dims, dims);
    };
    for (std::size_t i = 0; i < now; ++i)
      fill(first + static_cast<std::int64_t>(i), {own(x, i), own(seen, i)});
    predictor.look({std::span(x).first(now * dims), std::span(seen).first(now * dims)}, looks);
    for (std::size_t i = 0; i < now; ++i) {
      StateView state{.x = own(x, i), .seen = own(seen, i), .values = {}, .policy = {}};
      state.values = std::span(looks.values).subspan(i * dims * levels, dims * levels);
      if (!looks.policy.empty()) state.policy = own(looks.policy, i);
      see(first + static_cast<std::int64_t>(i), state);
    }
  }
}

}  // namespace logpx::arm
