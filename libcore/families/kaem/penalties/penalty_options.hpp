// What curves are charged for while they are fitted.   [kaem/README 9.1]
#pragma once

#include "libcore/families/kaem/penalties/edge_penalty.hpp"

namespace logpx {
class Fields;
}

namespace logpx::kaem {

struct Config;

enum class PenaltyTargets { prior, generator, both };

struct PenaltyOptions {
  double lambda = 0;
  PenaltyWeights weights;
  PenaltyTargets targets = PenaltyTargets::both;

  void describe(Fields& fields);
  void validate(const Config& config) const;
  [[nodiscard]] bool on() const { return lambda > 0; }
  [[nodiscard]] bool charges(PenaltyTargets target) const {
    return on() && (targets == PenaltyTargets::both || targets == target);
  }
};

}  // namespace logpx::kaem
