#include "libcore/codec/adaptive/forecast_chance.hpp"

#include "libcore/det/functions.hpp"

namespace logpx::codec::adaptive {

FineChances::FineChances() {
  for (std::size_t i = 0; i < of_logit.size(); ++i) {
    const double logit = (static_cast<double>(i) - most_logit - 1) / one_nat;
    of_logit[i] = static_cast<std::uint32_t>(det_sigmoid(logit) * ((1 << bits) - 1) + 0.5);
  }
}

const FineChances fine_chances;

}  // namespace logpx::codec::adaptive
