// What chains need of the prior: where they start.
#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/families/kaem/chains/chain_training.hpp"
#include "libcore/math/repeatable.hpp"

#include <algorithm>

namespace logpx::kaem {
namespace {

// Works in its update, where it has all threads.
class StartsPhase final : public Phase {
 public:
  explicit StartsPhase(const ChainParts& parts)
      : Phase({.name = "prior", .terms = {}, .items = 1, .gradient = false, .update = Update::own}),
        model_(parts.model),
        options_(parts.options),
        step_(parts.step) {}

  void run(const Shard&, std::span<const float>, const ShardSums&) override {}

  void update(const StepPlace& place, const PhaseSums&, Workers& workers) override {
    const ComputedBy how(step_.points.numerics);
    const LangevinOptions& langevin = options_.langevin;
    const PriorForm& form = model_.prior_form();
    PriorValues& values = step_.points.values;
    model_.take_prior(model_.param_set().block(), values);
    step_.t = langevin.temperatures(place.step, place.steps);
    step_.log_z.assign(form.energies.edges(), 0);
    if (form.is_mixture()) step_.log_z = log_normalisers(values.energies, workers);
    const std::int64_t draws = place.rows * (langevin.rungs() + 1);
    if (langevin.support == Support::u_space) {
      step_.inverses =
          latent_inverses(values, {.method = options_.its, .nodes = form.energies.nodes}, workers);
      draw_logits(place, draws);
    } else {
      draw_latents(place, draws, workers);
    }
  }

 private:
  [[nodiscard]] static Substream stream_of(const StepPlace& place) {
    return Rng(place.seed).stream(Stream::prior_samples, static_cast<std::uint32_t>(place.step));
  }
  void draw_logits(const StepPlace& place, std::int64_t draws) {
    Cursor words(stream_of(place));
    step_.starts.resize(at(draws * step_.dims()));
    for (double& v : step_.starts) {
      const double u = words.uniform53();
      v = det_log(u) - det_log1p(-u);
    }
  }
  void draw_latents(const StepPlace& place, std::int64_t draws, Workers& workers) {
    const PriorForm& form = model_.prior_form();
    resize_draws(form, draws, drawn_);
    prior_uniforms(form, stream_of(place), 0, drawn_.u);
    const Numerics numerics = numerics_here();
    workers.run(form.features(), [&](std::int64_t feature) {
      const ComputedBy how(numerics);
      EnergyTables tables(step_.points.values.energies, feature, options_.its);
      DrawSpace space;
      draw_feature(step_.points.values, tables, drawn_, space);
    });
    step_.starts.resize(at(draws * form.z_dims()));
    latent_rows(form, drawn_, step_.starts);
  }

  KaemModel& model_;
  const FitOptions& options_;
  ChainStep& step_;
  PriorDraws drawn_;
};

}  // namespace

std::unique_ptr<Phase> starts_phase(const ChainParts& parts) {
  return std::make_unique<StartsPhase>(parts);
}

}  // namespace logpx::kaem
