// Another number of hidden states for a model that training goes on from: copies of each, or only
// those with the largest expected occupancy.   [pc/README 7.1]
//
//   const Latents latents = find_latents(from.circuit);
//   const StateMaps maps = choose_states(latents, reshaping, occupancy);
//   CircuitText larger = with_states(from, latents, maps);
#pragma once

#include "libcore/base/rng.hpp"
#include "libcore/families/pc/growing/latents.hpp"
#include "libcore/families/pc/text/circuit_text.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace logpx {
class Fields;
}

namespace logpx::pc {

struct Reshaping {
  std::int64_t grow = 1;
  double noise = 0.1, keep_states = 1;

  void describe(Fields& fields, const std::function<bool()>& goes_on);
  [[nodiscard]] bool changes_states() const { return grow > 1 || keep_states < 1; }
};

// By latent: the old state that each state is, or is a copy of.
using StateMap = std::vector<std::int64_t>;
using StateMaps = std::vector<StateMap>;
// By latent: how often each state is expected in the data.
using Occupancy = std::vector<std::vector<double>>;

// A usage error if no state would be left of some latent. `occupancy` is read only where states are
// left out.
[[nodiscard]] StateMaps choose_states(const Latents& latents, const Reshaping& reshaping,
                                      const Occupancy& occupancy);

// The circuit whose states these are. Weights are shared evenly among copies, so that copies alone
// leave its distribution unchanged; where states are missing rows are divided by their sums.
[[nodiscard]] CircuitText with_states(const CircuitText& from, const Latents& latents,
                                      const StateMaps& maps);

// Multiplies all weights of sums, and the tables of hidden states, by e^(noise n), n normal.
void add_noise(CircuitText& circuit, const Latents& latents, double noise, const Rng& rng);

}  // namespace logpx::pc
