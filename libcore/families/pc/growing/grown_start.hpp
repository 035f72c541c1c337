// The model that training goes on from, with another number of hidden states.   [pc/README 7.1]
#pragma once

#include "libcore/families/pc/growing/reshaping.hpp"
#include "libcore/families/pc/model.hpp"

namespace logpx::pc {

class GrownStart {
 public:
  // Where states are left out, these rows say which. Refers to the model.
  GrownStart(const PcModel& model, const Reshaping& reshaping, const Examples& rows);

  [[nodiscard]] const Circuit& circuit() const { return circuit_; }
  [[nodiscard]] Config config() const;            // that would make such a circuit
  [[nodiscard]] CircuitText text(Rng rng) const;  // with parameters

 private:
  const PcModel& model_;
  Reshaping reshaping_;
  Latents latents_;
  StateMaps maps_;
  Circuit circuit_;
};

}  // namespace logpx::pc
