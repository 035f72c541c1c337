#include "libcore/families/vdm/scoring/flow_scoring.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/vdm/scoring/elbo_scoring.hpp"
#include "libcore/families/vdm/scoring/scored_rows.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/resample.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace logpx::vdm {
namespace {

constexpr std::int64_t enough_for_halves = 8;  // draws; fewer are drawn twice for their noise
constexpr std::int64_t usual_flow_steps = 100, usual_first_draws = 2, flows_at_a_time = 64;
constexpr double half_as_many_steps = 32;  // what the tolerance of order 5 is multiplied by

// Starts z_0 with their directions, labels and importance weights.
struct Starts {
  std::vector<double> z, directions;
  std::vector<std::int32_t> labels;
  std::vector<double> log_factor;  // ln p(x|z_0) - ln q(z_0|x)
};

class FlowScoring final : public ScoringPlan {
 public:
  explicit FlowScoring(const DiffusionModel& model) : model_(model) {}
  void describe(Fields& fields) override { settings_.describe(fields); }
  void settle() override;
  [[nodiscard]] std::int64_t draws() const override {
    return model_.levels() > 0 ? settings_.n_rec.value_or(usual_first_draws) : 1;
  }
  [[nodiscard]] Scores score(const Examples& examples, Rng rng) const override;

 private:
  // Draw `first`, `first` + 1 .. of all rows, a row's draws one after another.
  [[nodiscard]] Starts starts(const ScoredRows& rows, std::int64_t first, std::int64_t count,
                              const Rng& rng) const;
  void start(const ScoredRows& rows, std::int64_t row, std::uint64_t draw, const Rng& rng,
             Starts& to) const;

  const DiffusionModel& model_;
  FlowSettings settings_;
  FlowSteps steps_, coarse_;
  Endpoints ends_;
};

void FlowScoring::settle() {
  refuse_recon_draws(model_, settings_.n_rec);
  check_label_choice(model_, settings_.labels);
  if (settings_.ode_trace == Trace::exact && model_.predictor().dims() > most_exact_dims)
    fail(ErrorKind::usage, "--ode-trace exact",
         "takes a reverse pass for each dimension, and at most " + std::to_string(most_exact_dims) +
             " of them",
         "--ode-trace hutchinson");
  steps_.count = settings_.ode_steps.value_or(usual_flow_steps);
  steps_.tolerance = settings_.ode_tol.value_or(0);
  coarse_.count = (steps_.count + 1) / 2;
  coarse_.tolerance = steps_.tolerance * half_as_many_steps;
  ends_ = model_.schedule().ends();
}

void FlowScoring::start(const ScoredRows& rows, std::int64_t row, std::uint64_t draw,
                        const Rng& rng, Starts& to) const {
  const std::size_t dims = at(rows.dims);
  const NoiseLevel level = model_.process().at(ends_.first);
  const std::span<const double> x = rows.row(row);
  double factor = static_cast<double>(dims) * 0.5 * level.log_alpha2;
  std::vector<double> eps(dims), r(dims);
  if (model_.levels() > 0) {
    draw_first_noise(rng, rows.number(row), draw, eps);
    factor = 0;
    for (std::size_t d = 0; d < dims; ++d) {
      r[d] = x[d] + level.sigma / level.alpha * eps[d];
      factor += 0.5 * (std::log(2 * std::numbers::pi) + level.log_sigma2 + eps[d] * eps[d]);
    }
    factor += log_reconstruction(model_.levels(), ends_.first, x, r);
  } else std::ranges::copy(x, r.begin());
  for (const double value : r) to.z.push_back(level.alpha * value);
  to.log_factor.push_back(factor);
  if (!rows.labels.empty()) to.labels.push_back(rows.labels[at(row)]);
  if (settings_.ode_trace == Trace::exact) return;
  const Substream signs = rng.stream(Stream::noise, rows.number(row));
  for (std::size_t d = 0; d < dims; ++d)
    to.directions.push_back((signs.word(draw * dims + d) & 1) != 0 ? 1.0 : -1.0);
}

Starts FlowScoring::starts(const ScoredRows& rows, std::int64_t first, std::int64_t count,
                           const Rng& rng) const {
  Starts all;
  for (std::int64_t k = first; k < first + count; ++k)
    start(rows, k / draws(), static_cast<std::uint64_t>(k % draws()), rng, all);
  return all;
}

Scores FlowScoring::score(const Examples& examples, Rng rng) const {
  single_threaded_kernels();
  const ScoredRows rows =
      take_rows(model_, examples, settings_.labels ? Labels::used : Labels::ignored);
  const Denoiser denoiser(model_.predictor(), model_.process());
  const ProbabilityFlow flow(denoiser, ends_);
  const std::int64_t each = draws(), all = rows.count * each;
  std::vector<double> fine, coarse;
  for (std::int64_t first = 0; first < all; first += flows_at_a_time) {
    const Starts held = starts(rows, first, std::min(flows_at_a_time, all - first), rng);
    for (auto* to : {&fine, &coarse}) {
      const std::vector<double> log_p =
          flow.log_density({held.z, held.labels, held.directions}, to == &fine ? steps_ : coarse_);
      for (std::size_t i = 0; i < log_p.size(); ++i) to->push_back(log_p[i] + held.log_factor[i]);
    }
  }
  const bool levels = model_.levels() > 0;
  Scores scores{.kind = levels ? Bound::stochastic_lower_bound : Bound::estimate};
  scores.facts = {{"ode_error", {}}};
  const double jacobian = model_.reader().log_jacobian();
  std::vector<double> weights(at(each));
  for (std::int64_t i = 0; i < rows.count; ++i) {
    const auto own = [&](const std::vector<double>& log_weights) {
      return importance_weights(std::span(log_weights).subspan(at(i * each), at(each)), weights);
    };
    const double rough = own(coarse), log_p = own(fine);
    scores.nats.push_back(jacobian + log_p);
    scores.facts[0].second.push_back(std::abs(log_p - rough));
    if (each >= enough_for_halves)
      scores.mc_std_error.push_back(
          error_by_halves(std::span(fine).subspan(at(i * each), at(each))));
    else if (!levels && settings_.ode_trace == Trace::exact) scores.mc_std_error.push_back(0);
  }
  return scores;
}

}  // namespace

void FlowSettings::describe(Fields& fields) {
  fields.add("ode-steps", ode_steps, "steps in gamma of the classical Runge-Kutta method")
      .range(1, 100000)
      .shows_default("100")
      .unless({[this] { return ode_tol.has_value(); }, "--ode-tol, which chooses the steps"})
      .rank(Rank::manual);
  fields.add("ode-tol", ode_tol, "tolerance of Dormand and Prince's method, instead of even steps")
      .range(1e-12, 1)
      .rank(Rank::manual);
  fields
      .add("ode-trace", ode_trace,
           {{"hutchinson", Trace::hutchinson, "in one random direction: fast, and noisy"},
            {"exact", Trace::exact, "in all directions: for few dimensions"}},
           "the trace of the flow's slope: in one random direction, or in all")
      .rank(Rank::manual);
  add_recon_draws(fields, n_rec);
  add_label_choice(fields, labels);
}

std::unique_ptr<ScoringPlan> make_flow_scoring(const DiffusionModel& model) {
  return std::make_unique<FlowScoring>(model);
}

}  // namespace logpx::vdm
