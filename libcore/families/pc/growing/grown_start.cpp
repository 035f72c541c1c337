#include "libcore/families/pc/growing/grown_start.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/pc/growing/occupancy.hpp"
#include "libcore/families/pc/text/circuit_numbers.hpp"

#include <algorithm>

namespace logpx::pc {
namespace {

Circuit circuit_with(const Circuit& circuit, const Latents& latents, const StateMaps& maps) {
  const CircuitText bare{.circuit = circuit,
                         .weights = std::vector<std::vector<double>>(circuit.blocks.size())};
  return with_states(bare, latents, maps).circuit;
}

}  // namespace

GrownStart::GrownStart(const PcModel& model, const Reshaping& reshaping, const Examples& rows)
    : model_(model), reshaping_(reshaping), latents_(find_latents(model.circuit())) {
  Occupancy occupancy;
  if (reshaping.keep_states < 1) occupancy = occupancy_of(model, latents_, rows);
  maps_ = choose_states(latents_, reshaping, occupancy);
  circuit_ = circuit_with(model.circuit(), latents_, maps_);
}

// Where latents differ in their numbers of states, it names the largest.
Config GrownStart::config() const {
  Config config = model_.config();
  if (config.structure == "file") return config;
  std::int64_t most = 0, most_of_sums = 0;
  for (int b = 0; b < static_cast<int>(circuit_.blocks.size()); ++b) {
    const Block& block = circuit_.blocks[at(b)];
    if (latents_.at_block(b).fixed) continue;
    most = std::max(most, block.size);
    if (block.kind != BlockKind::sum || block.size <= most_of_sums) continue;
    most_of_sums = block.size;
    if (!config.factors.empty()) config.factors = factors_text(block.factors);
  }
  config.hidden = most;
  return config;
}

CircuitText GrownStart::text(Rng rng) const {
  const CircuitText from = with_numbers(model_.plan(), model_.param_set());
  CircuitText grown = with_states(from, latents_, maps_);
  if (reshaping_.grow > 1) add_noise(grown, latents_, reshaping_.noise, rng);
  return grown;
}

}  // namespace logpx::pc
