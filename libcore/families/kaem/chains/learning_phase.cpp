// The generator's gradient at the samples of the chains.
#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/families/kaem/chains/chain_training.hpp"
#include "libcore/families/kaem/likelihood_graph.hpp"
#include "libcore/families/kaem/shard_rows.hpp"
#include "libcore/train/graph_phase.hpp"

#include <algorithm>

namespace logpx::kaem {
namespace {

// s [row, rung, Q] to [rung, row, Q], noise [rung, row, ...] addressed by the place of the row.
void bind_samples_of(const ChainParts& parts, const Shard& shard, GraphInputs& inputs) {
  const std::int64_t rungs = learned_rungs(parts.options.langevin).count;
  const std::int64_t latents = parts.model.prior_form().n_q;
  const std::int64_t size = parts.model.generator().noise_size();
  const bool noisy = parts.options.train_noise > 0;
  const Substream noise =
      Rng(shard.place.seed).stream(Stream::noise, static_cast<std::uint32_t>(shard.place.step));
  for (std::int64_t k = 0; k < rungs; ++k)
    for (std::int64_t i = 0; i < shard.count; ++i) {
      const std::int64_t from = (shard.first + i) * rungs + k, to = k * shard.count + i;
      std::copy_n(parts.step.learned.data() + from * latents, latents,
                  inputs.values("s").data() + to * latents);
      if (!noisy) continue;
      const std::span<float> own = inputs.values("noise").subspan(at(to * size), at(size));
      fill_normals(noise, static_cast<std::uint64_t>((shard.places[at(i)] * rungs + k) * size),
                   own);
      for (float& value : own) value *= static_cast<float>(parts.options.train_noise);
    }
}

// The loss is minus the mean of log p(x|z), at each temperature by its share.
void bind_shares(const ChainParts& parts, const Shard& shard, GraphInputs& inputs) {
  const LangevinOptions& langevin = parts.options.langevin;
  const std::vector<double> shares = rung_shares(langevin, parts.step.t);
  const std::int64_t first = learned_rungs(langevin).first;
  const std::span<float> seed = inputs.seed();
  for (std::size_t c = 0; c < seed.size(); ++c)
    seed[c] = static_cast<float>(-shares[at(first) + c / at(shard.count)] /
                                 static_cast<double>(shard.step_count));
}

// Slopes of the mean log p(x|z) at t = 1, with the sign of the loss: without the share of t = 1.
void gather_slopes(const ChainParts& parts, const Shard& shard, const Executor<float>& run,
                   std::span<double> by_s) {
  const std::size_t own = at(shard.count * parts.model.prior_form().n_q);
  const double share = rung_shares(parts.options.langevin, parts.step.t).back();
  const std::span<const float> slopes = run.gradient("s").span().last(own);
  std::ranges::transform(slopes,
                         by_s.subspan(at(shard.first * parts.model.prior_form().n_q)).begin(),
                         [share](float slope) { return static_cast<double>(slope) / share; });
}

}  // namespace

std::unique_ptr<Phase> learning_phase(const ChainParts& of) {
  const bool trains = of.options.trains("generator"), prior = of.options.trains("prior");
  const bool pathwise = prior && of.options.signal(of.model.prior_form()) == PriorSignal::pathwise;
  GraphPhaseParts parts;
  parts.build = [of](std::int64_t rows, std::int64_t) {
    return likelihood_graph(
        of.model, {.rows = rows,
                   .copies = learned_rungs(of.options.langevin).count,
                   .noise = of.options.train_noise > 0 ? PairedRows::Noise::before_activation
                                                       : PairedRows::Noise::none});
  };
  parts.from = "log_likelihood";
  parts.bind = [of](const Shard& shard, GraphInputs& inputs) {
    bind_rows(of.model, rows_of_shard(of.model, of.rows, shard), inputs);
    bind_samples_of(of, shard, inputs);
    bind_shares(of, shard, inputs);
  };
  if (pathwise) {
    parts.inputs = {"s"};
    parts.after = [of](const Shard& shard, const Executor<float>& run, const ShardSums& sums) {
      gather_slopes(of, shard, run, sums.terms);
    };
    parts.finish = [of](const StepPlace&, const PhaseSums& sums) {
      std::vector<double>& by_s = of.step.points.by_s;
      std::ranges::copy(sums.terms.first(by_s.size()), by_s.begin());
    };
  }
  PhaseSettings settings{.name = "generator",
                         .terms = {},
                         .sums_per_row = pathwise ? of.model.prior_form().n_q : 0,
                         .gradient = trains,
                         .writes = {"generator"},
                         .update = prior ? Update::none : Update::optimizer};
  return std::make_unique<GraphPhase>(std::move(settings), std::move(parts));
}

}  // namespace logpx::kaem
