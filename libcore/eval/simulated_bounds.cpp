#include "libcore/eval/simulated_bounds.hpp"

#include "libcore/eval/likelihood.hpp"

#include <span>
#include <utility>

namespace logpx {

SimulatedBounds simulate_bounds(const Abilities& can, std::int64_t count, const AisOptions& options,
                                Rng rng, Workers& workers) {
  const ModelLatents& latents = *can.latents;
  const JointSamples samples = draw_joint(latents, 0, count, rng);
  DatasetInfo info = can.info().samples;
  info.n = count;
  MemoryRows data(info, samples.rows);
  const auto dims = static_cast<std::size_t>(latents.dims());
  const EvalRows rows{.data = data, .begin = 0, .end = count, .block = can.info().block};
  const Scored scored = score_rows(rows, workers, [&](const Examples& examples) {
    const auto z =
        std::span(samples.z).subspan(static_cast<std::size_t>(examples.first) * dims,
                                     static_cast<std::size_t>(examples.rows.count) * dims);
    Bracket bracket = bracket_evidence({latents, examples, rng}, z, options);
    Scores scores{.kind = Bound::stochastic_lower_bound};
    scores.nats = std::move(bracket.lower);
    scores.facts = {{"upper", std::move(bracket.upper)}};
    return scores;
  });
  Scored upper{.kind = Bound::upper_bound, .nats = scored.facts[0].second};
  return {.lower = mean_of(scored.nats, Bound::stochastic_lower_bound),
          .upper = mean_of(upper.nats, Bound::upper_bound),
          .distance = paired_difference(upper, scored)};
}

}  // namespace logpx
