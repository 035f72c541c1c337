#include "libcore/families/pc/text/circuit_numbers.hpp"

#include "libcore/base/index.hpp"

#include <span>
#include <vector>

namespace logpx::pc {

CircuitText with_numbers(const PassPlan& plan, const ParamSet& params) {
  const Circuit& circuit = plan.circuit();
  CircuitText whole{.circuit = circuit, .weights = {}};
  whole.weights.resize(circuit.blocks.size());
  const std::span<const float> block = params.block();
  const auto append = [&](const BlockRange& range, std::vector<double>& to) {
    to.insert(to.end(), block.begin() + range.begin, block.begin() + range.end);
  };
  for (std::size_t b = 0; b < whole.weights.size(); ++b)
    for (std::size_t t = 0; t < plan.tensors(static_cast<int>(b)).size(); ++t) {
      const TensorPlace& place = plan.tensors(static_cast<int>(b))[t];
      if (use_of(params.infos()[at(place.tensor)].name) == TensorUse::statistics) continue;
      append(plan.range(static_cast<int>(b), t), whole.weights[b]);
    }
  if (circuit.styles > 1) {
    append(plan.style_prior(), whole.style_prior);
    append(plan.style_values(), whole.style_values);
  }
  return whole;
}

}  // namespace logpx::pc
