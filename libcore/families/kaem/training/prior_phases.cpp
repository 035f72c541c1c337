#include "libcore/base/index.hpp"
#include "libcore/base/spares.hpp"
#include "libcore/families/kaem/prior/mixture_path.hpp"
#include "libcore/families/kaem/training/importance.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/repeatable.hpp"

#include <algorithm>
#include <optional>

namespace logpx::kaem {
namespace {

// Tables and samples of one feature after another.
class PriorPhase final : public Phase {
 public:
  explicit PriorPhase(const PriorParts& parts)
      : Phase({.name = "prior",
               .terms = {},
               .extra_sums = std::ssize(parts.step.s),
               .items = parts.model.prior_form().features(),
               .gradient = false,
               .update = Update::none}),
        model_(parts.model),
        step_(parts.step),
        tables_(parts.tables) {}

  void begin(const MicroBatch& batch) override {
    if (batch.first > 0) return;
    model_.take_prior(model_.param_set().block(), step_.values);
    prior_uniforms(model_.prior_form(),
                   Rng(batch.place.seed)
                       .stream(Stream::prior_samples, static_cast<std::uint32_t>(batch.place.step)),
                   0, step_.draws.u);
  }

  void run(const Shard& shard, std::span<const float>, const ShardSums& sums) override {
    single_threaded_kernels();
    const ComputedBy how(step_.numerics);
    const auto space = memory_.lend();
    for (std::int64_t f = shard.first; f < shard.first + shard.count; ++f) {
      draw_feature(step_.values, tables_[at(f)], step_.draws, *space);
      add_sums(f, sums.terms);
    }
  }

  void finish(const StepPlace&, const PhaseSums& sums) override {
    std::ranges::transform(sums.terms, step_.s.begin(),
                           [](double s) { return static_cast<float>(s); });
  }

 private:
  // z of one feature into s [S,Q].
  void add_sums(std::int64_t feature, std::span<double> s) const {
    const PriorForm& form = model_.prior_form();
    const auto samples = at(step_.draws.count), latents = at(form.n_q);
    const std::size_t curves = form.is_mixture() ? 1 : latents;
    const std::size_t first_q = form.is_mixture() ? at(feature) : 0;
    const double* const z = step_.draws.z.data() + at(feature) * curves * samples;
    for (std::size_t c = 0; c < curves; ++c)
      for (std::size_t i = 0; i < samples; ++i) s[i * latents + first_q + c] += z[c * samples + i];
  }

  const KaemModel& model_;
  PosteriorPoints& step_;
  std::vector<EnergyTables>& tables_;
  Spares<DrawSpace> memory_;
};

class RetracePhase final : public Phase {
 public:
  explicit RetracePhase(const PriorParts& parts)
      : Phase({.name = "retrace",
               .terms = {},
               .items = parts.model.prior_form().features(),
               .gradient = false,
               .update = Update::none}),
        points_(parts.step),
        tables_(parts.tables) {}

  void run(const Shard& shard, std::span<const float>, const ShardSums&) override {
    single_threaded_kernels();
    const ComputedBy how(points_.numerics);
    DrawSpace space;
    for (std::int64_t f = shard.first; f < shard.first + shard.count; ++f)
      draw_feature(points_.values, tables_[at(f)], points_.draws, space);
  }

 private:
  PosteriorPoints& points_;
  std::vector<EnergyTables>& tables_;
};

// The gradient of the prior, one feature after another; its update moves the generator, too.
class TiltPhase final : public Phase {
 public:
  explicit TiltPhase(const PriorParts& parts)
      : Phase({.name = "tilt",
               .terms = {},
               .items = parts.model.prior_form().features(),
               .writes = {"prior"}}),
        model_(parts.model),
        options_(parts.options),
        step_(parts.step),
        tables_(parts.tables) {
    for (std::int64_t f = 0; f < settings().items; ++f)
      moments_.emplace_back(parts.step.values.energies, f);
  }

  void run(const Shard& shard, std::span<const float>, const ShardSums& sums) override {
    single_threaded_kernels();
    const ComputedBy how(step_.numerics);
    const auto lent = memory_.lend();
    PriorGradient& gradient = lent->begin(model_.prior_form());
    for (std::int64_t f = shard.first; f < shard.first + shard.count; ++f)
      add_signals(shard.place, f, gradient, *lent);
    for (const BlockRange& range : sums.written)
      std::fill(sums.gradient.begin() + range.begin, sums.gradient.begin() + range.end, 0.0F);
    gradient.add_to(model_.prior_tensors(), model_.param_set(), -1, sums.gradient);
  }

 private:
  // What one thread works with.
  struct Memory : SignalSpace {
    PriorGradient& begin(const PriorForm& form) {
      if (gradient) gradient->clear();
      else gradient.emplace(form);
      return *gradient;
    }
    std::optional<PriorGradient> gradient;
    std::vector<double> u, dz;  // for a pathwise gradient
    MixturePathSpace path;
  };
  void add_signals(const StepPlace& place, std::int64_t feature, PriorGradient& gradient,
                   Memory& space) {
    const PriorForm& form = model_.prior_form();
    EnergyMoments& moments = moments_[at(feature)];
    const PriorSignal signal = options_.signal(form);
    const bool needs_moments = signal != PriorSignal::pathwise || options_.l2_energy > 0;
    if (needs_moments) moments.rebuild();
    const std::span<const double> z = of_feature(step_.draws.z, feature);
    const PriorPoints posterior{z, step_.weights};
    switch (signal) {
      case PriorSignal::pathwise:
        form.is_mixture() ? add_path_of_mixture(feature, gradient, space)
                          : add_pathwise(feature, gradient, space);
        break;
      case PriorSignal::contrast:
        add_contrast_gradient(step_.values, moments, posterior, fresh_samples(place, feature),
                              gradient, space);
        break;
      case PriorSignal::automatic:
      case PriorSignal::quadrature:
      case PriorSignal::score:
        add_score_gradient(step_.values, moments, posterior, gradient, space);
    }
    if (options_.l2_energy > 0) add_energy_penalty(moments, options_.l2_energy, gradient, space);
    if (options_.alpha_reg != WeightPenalty::none)
      add_weight_penalty(step_.values, feature, options_.alpha_reg, options_.lambda_alpha,
                         gradient);
  }

  // z moves with the parameters at fixed u: dz_qp = dL/ds_q.
  void add_pathwise(std::int64_t feature, PriorGradient& gradient, Memory& memory) {
    const PriorForm& form = model_.prior_form();
    const std::size_t samples = step_.weights.size(), latents = at(form.n_q);
    std::vector<double>& dz = memory.dz;
    dz.resize(latents * samples);
    take_uniforms(feature, memory.u);
    for (std::size_t q = 0; q < latents; ++q)
      for (std::size_t i = 0; i < samples; ++i) dz[q * samples + i] = -step_.by_s[i * latents + q];
    tables_[at(feature)].add_pathwise_gradient(memory.u, of_feature(step_.draws.z, feature),
                                               of_feature(step_.draws.slopes, feature), dz,
                                               gradient.energies);
  }

  void add_path_of_mixture(std::int64_t q, PriorGradient& gradient, Memory& memory) {
    const std::size_t latents = at(model_.prior_form().n_q);
    memory.dz.resize(step_.weights.size());
    for (std::size_t i = 0; i < memory.dz.size(); ++i)
      memory.dz[i] = -step_.by_s[i * latents + at(q)];
    add_mixture_path(step_.values, tables_[at(q)],
                     {of_feature(step_.draws.z, q), of_feature(step_.draws.slopes, q), memory.dz},
                     gradient, memory.path);
  }

  // u [1,S] that all q share, or [Q,S].
  void take_uniforms(std::int64_t feature, std::vector<double>& u) const {
    const PriorForm& form = model_.prior_form();
    const std::size_t samples = step_.weights.size(), all = at(form.uniforms()),
                      parts = at(form.n_p), curves = form.is_shared() ? 1 : at(form.n_q);
    u.resize(curves * samples);
    for (std::size_t q = 0; q < curves; ++q)
      for (std::size_t i = 0; i < samples; ++i)
        u[q * samples + i] = step_.draws.u[i * all + q * parts + at(feature)];
  }

  // Samples of each component that no row has seen, [C,S].
  [[nodiscard]] std::vector<double> fresh_samples(const StepPlace& place, std::int64_t feature) {
    EnergyTables& tables = tables_[at(feature)];
    const auto curves = at(model_.prior_form().energies.curves_each);
    const std::size_t samples = at(options_.samples);
    const Substream stream =
        Rng(place.seed).stream(Stream::perturb, static_cast<std::uint32_t>(place.step));
    std::vector<double> u(samples), z(curves * samples);
    tables.rebuild();
    for (std::size_t c = 0; c < curves; ++c) {
      const std::uint64_t first = (at(feature) * curves + c) * samples;
      for (std::size_t i = 0; i < samples; ++i) u[i] = stream.uniform(first + i);
      tables.draw(static_cast<std::int64_t>(c), u, std::span(z).subspan(c * samples, samples), {});
    }
    return z;
  }

  [[nodiscard]] std::span<const double> of_feature(const std::vector<double>& all,
                                                   std::int64_t feature) const {
    const std::size_t own = all.size() / at(model_.prior_form().features());
    return std::span(all).subspan(at(feature) * own, own);
  }

  const KaemModel& model_;
  const FitOptions& options_;
  PosteriorPoints& step_;
  std::vector<EnergyTables>& tables_;
  std::vector<EnergyMoments> moments_;
  Spares<Memory> memory_;
};

}  // namespace

std::unique_ptr<Phase> prior_phase(const PriorParts& parts) {
  return std::make_unique<PriorPhase>(parts);
}

std::unique_ptr<Phase> retrace_phase(const PriorParts& parts) {
  return std::make_unique<RetracePhase>(parts);
}

std::unique_ptr<Phase> tilt_phase(const PriorParts& parts) {
  return std::make_unique<TiltPhase>(parts);
}

}  // namespace logpx::kaem
