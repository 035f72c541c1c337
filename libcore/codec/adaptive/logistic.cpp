#include "libcore/codec/adaptive/logistic.hpp"

#include "libcore/det/functions.hpp"

#include <algorithm>

namespace logpx::codec::adaptive {

LogisticTables::LogisticTables() {
  for (std::size_t i = 0; i < chances.size(); ++i) {
    const double logit = (static_cast<double>(i) - most_logit - 1) / one_nat;
    const double chance = det_sigmoid(logit) * 65536;
    chances[i] = static_cast<std::uint16_t>(std::clamp(chance + 0.5, 1.0, 65535.0));
  }
  const auto logit_of_part = [](std::size_t i, double parts) {
    const double chance = (static_cast<double>(i) + 0.5) / parts;
    const double logit = one_nat * (det_log(chance) - det_log(1 - chance));
    return static_cast<std::int16_t>(logit < 0 ? logit - 0.5 : logit + 0.5);
  };
  for (std::size_t i = 0; i < logits.size(); ++i) {
    logits[i] = logit_of_part(i, 4096);
    small_logits[i] = logit_of_part(i, 65536);
  }
}

const LogisticTables logistic;

}  // namespace logpx::codec::adaptive
