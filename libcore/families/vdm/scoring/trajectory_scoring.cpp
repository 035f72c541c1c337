#include "libcore/families/vdm/scoring/trajectory_scoring.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/stop.hpp"
#include "libcore/families/vdm/process.hpp"
#include "libcore/families/vdm/scoring/elbo_scoring.hpp"
#include "libcore/families/vdm/scoring/scored_rows.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/resample.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::vdm {
namespace {

constexpr std::int64_t trajectories_at_a_time = 64;
constexpr std::int64_t steps_of_continuous_time = 50;

// A range of trajectories; each row has K of them.
struct Held {
  std::int64_t first = 0, count = 0;
};

// log w of trajectories: ln p(z_1) - ln q(z_1|x), then ln p - ln q of each step, then ln p(x|z_0).
class Weighing {
 public:
  Weighing(const DiffusionModel& model, const Denoiser& denoiser, const ScoredRows& rows,
           std::int64_t copies)
      : model_(model), denoiser_(denoiser), rows_(rows), copies_(copies), dims_(at(rows.dims)) {}

  void run(const Held& held, std::span<const double> gammas, const Rng& rng,
           std::span<double> log_weights) {
    held_ = held;
    for (std::vector<double>* tensor : {&z_, &eps_, &hat_}) tensor->resize(at(held.count) * dims_);
    labels_.clear();
    if (!rows_.labels.empty())
      for (std::int64_t k = 0; k < held.count; ++k) labels_.push_back(rows_.labels[at(row(k))]);
    const auto steps = std::ssize(gammas) - 1;
    NoiseLevel t = denoiser_.process().at(gammas.back());
    begin(t, rng, log_weights);
    for (std::int64_t i = steps; i > 0; --i) {
      stop::check();
      const NoiseLevel s = denoiser_.process().at(gammas[at(i - 1)]);
      step(transition(s, t), {rng, i}, log_weights);
      t = s;
    }
    end(t, log_weights);
  }

 private:
  struct Drawing {
    const Rng& rng;
    std::int64_t step;
  };
  [[nodiscard]] std::int64_t row(std::int64_t k) const { return (held_.first + k) / copies_; }
  [[nodiscard]] std::span<double> own(std::vector<double>& tensor, std::int64_t k) const {
    return std::span(tensor).subspan(at(k) * dims_, dims_);
  }
  // The normals of a trajectory at a step; step 0 is z_1.
  void draw(const Drawing& drawing, std::int64_t k, std::span<double> eps) const {
    const auto copy = static_cast<std::uint64_t>((held_.first + k) % copies_);
    const std::uint64_t each = most_timesteps + 1;
    draw_noise(drawing.rng, rows_.number(row(k)),
               copy * each + static_cast<std::uint64_t>(drawing.step), eps);
  }

  void begin(const NoiseLevel& last, const Rng& rng, std::span<double> log_weights) {
    const double deviation = denoiser_.process().prior_deviation(last.gamma);
    const double constant = std::log(last.sigma / deviation);
    for (std::int64_t k = 0; k < held_.count; ++k) {
      const std::span<double> eps = own(eps_, k), z = own(z_, k);
      draw({rng, 0}, k, eps);
      const std::span<const double> x = rows_.row(row(k));
      log_weights[at(k)] = 0;
      for (std::size_t d = 0; d < dims_; ++d) {
        z[d] = last.alpha * x[d] + last.sigma * eps[d];
        const double u = z[d] / deviation;
        log_weights[at(k)] += constant + 0.5 * (eps[d] * eps[d] - u * u);
      }
    }
  }

  void step(const Transition& step, const Drawing& drawing, std::span<double> log_weights) {
    const std::vector<NoiseLevel> levels(at(held_.count), step.t);
    denoiser_.noise({z_, levels, labels_}, hat_);
    const double scale = std::sqrt(step.snr_loss);
    for (std::int64_t k = 0; k < held_.count; ++k) {
      const std::span<double> n = own(eps_, k), z = own(z_, k), hat = own(hat_, k);
      draw(drawing, k, n);
      const std::span<const double> x = rows_.row(row(k));
      for (std::size_t d = 0; d < dims_; ++d) {
        const double eps = noise_of(step.t, z[d], x[d]), off = scale * (hat[d] - eps);
        log_weights[at(k)] -= off * (0.5 * off + n[d]);
        z[d] = step.mean_by_noise(z[d], eps) + step.deviation * n[d];
      }
    }
  }

  void end(const NoiseLevel& first, std::span<double> log_weights) {
    for (std::int64_t k = 0; k < held_.count; ++k) {
      const std::span<double> r = own(z_, k);
      for (double& value : r) value /= first.alpha;
      const std::span<const double> x = rows_.row(row(k));
      if (model_.levels() > 0) {
        log_weights[at(k)] += log_reconstruction(model_.levels(), first.gamma, x, r);
        continue;
      }
      for (std::size_t d = 0; d < dims_; ++d)
        log_weights[at(k)] -= real_nats(first.gamma, x[d] - r[d]);
    }
  }

  const DiffusionModel& model_;
  const Denoiser& denoiser_;
  const ScoredRows& rows_;
  std::int64_t copies_;
  std::size_t dims_;
  Held held_;
  std::vector<double> z_, eps_, hat_;
  std::vector<std::int32_t> labels_;
};

// The bound by k weights, a mean over as many groups of k as there are.
double bound_of_groups(std::span<const double> log_weights, std::int64_t k) {
  std::vector<double> weights(at(k));
  double sum = 0;
  const std::int64_t groups = std::ssize(log_weights) / k;
  for (std::int64_t g = 0; g < groups; ++g)
    sum += importance_weights(log_weights.subspan(at(g * k), at(k)), weights);
  return sum / static_cast<double>(groups);
}

class TrajectoryScoring final : public ScoringPlan {
 public:
  explicit TrajectoryScoring(const DiffusionModel& model) : model_(model) {}
  void describe(Fields& fields) override { settings_.describe(fields); }
  void settle() override;
  [[nodiscard]] std::int64_t draws() const override { return settings_.samples; }
  [[nodiscard]] ReportedKnobs reported() const override { return {{"samples_each", "samples"}}; }
  [[nodiscard]] std::vector<FactCurve> curves() const override;
  [[nodiscard]] Scores score(const Examples& examples, Rng rng) const override;

 private:
  [[nodiscard]] std::vector<double> sizes() const;  // 1, 2, 4 .. and all samples
  const DiffusionModel& model_;
  TrajectorySettings settings_;
  std::vector<double> gammas_;
};

void TrajectoryScoring::settle() {
  StepKnobs& steps = settings_.steps;
  if (!steps.timesteps)
    steps.timesteps = model_.timesteps() > 0 ? model_.timesteps() : steps_of_continuous_time;
  steps.settle_clipping(model_, "none");
  steps.settle_grid(model_);
  check_label_choice(model_, settings_.labels);
  gammas_ = steps.gammas(model_, model_.schedule());
}

std::vector<double> TrajectoryScoring::sizes() const {
  std::vector<double> all;
  for (std::int64_t k = 1; k < settings_.samples; k *= 2) all.push_back(static_cast<double>(k));
  all.push_back(static_cast<double>(settings_.samples));
  return all;
}

std::vector<FactCurve> TrajectoryScoring::curves() const {
  return {{.name = "by_k",
           .x_name = "k",
           .title = "bound by samples",
           .x_label = "samples",
           .y_label = "log p(x) at least, nats",
           .x = sizes()}};
}

Scores TrajectoryScoring::score(const Examples& examples, Rng rng) const {
  single_threaded_kernels();
  const ScoredRows rows =
      take_rows(model_, examples, settings_.labels ? Labels::used : Labels::ignored);
  const std::int64_t copies = settings_.samples, all = rows.count * copies;
  Denoiser denoiser(model_.predictor(), model_.process());
  denoiser.clip_to(settings_.steps.limit(model_));
  std::vector<double> log_weights(at(all)), weights(at(copies));
  Weighing weighing(model_, denoiser, rows, copies);
  for (std::int64_t first = 0; first < all; first += trajectories_at_a_time) {
    const Held held{first, std::min(trajectories_at_a_time, all - first)};
    weighing.run(held, gammas_, rng, std::span(log_weights).subspan(at(first), at(held.count)));
  }
  Scores scores{.kind = Bound::stochastic_lower_bound};
  scores.facts = {{"ess", {}}};
  const std::vector<double> each = sizes();
  const FactCurve curve = curves()[0];
  for (std::size_t i = 0; i < each.size(); ++i) scores.facts.push_back({curve.column(i), {}});
  const double jacobian = model_.reader().log_jacobian();
  for (std::int64_t i = 0; i < rows.count; ++i) {
    const auto own = std::span(log_weights).subspan(at(i * copies), at(copies));
    scores.nats.push_back(jacobian + importance_weights(own, weights));
    if (copies > 1) scores.mc_std_error.push_back(error_by_halves(own));
    scores.facts[0].second.push_back(effective_size(weights));
    for (std::size_t s = 0; s < each.size(); ++s)
      scores.facts[s + 1].second.push_back(
          jacobian + bound_of_groups(own, static_cast<std::int64_t>(each[s])));
  }
  return scores;
}

}  // namespace

void TrajectorySettings::describe(Fields& fields) {
  add_samples(fields, samples);
  steps.describe(fields, {.default_steps = "those of the training; 50 in continuous time",
                          .default_clipping = "none"});
  add_label_choice(fields, labels);
}

std::unique_ptr<ScoringPlan> make_trajectory_scoring(const DiffusionModel& model) {
  return std::make_unique<TrajectoryScoring>(model);
}

}  // namespace logpx::vdm
