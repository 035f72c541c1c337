#include "libcore/families/vdm/scoring/elbo_scoring.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/vdm/process.hpp"
#include "libcore/families/vdm/scoring/drawn_curves.hpp"
#include "libcore/families/vdm/scoring/scored_rows.hpp"
#include "libcore/families/vdm/scoring/time_points.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace logpx::vdm {
namespace {

constexpr std::int64_t usual_samples = 8, usual_recon_draws = 2;
constexpr std::int64_t enough_points = 64;
constexpr std::int64_t looked_at_again = 8;  // of all steps of a row, to tell their noise
constexpr const char *errors_tally = "errors", *counts_tally = "counts";

std::unique_ptr<const NoiseCurve> curve_of(const std::string& word) {
  static const std::map<std::string, CurveKind> kinds = {{"linear", CurveKind::linear},
                                                         {"beta-linear", CurveKind::beta_linear},
                                                         {"alpha-cosine", CurveKind::alpha_cosine}};
  return make_curve({.kind = kinds.at(word)}, {});
}

// The two halves of the draws of a row, whose distance tells the noise of their mean.
struct Halves {
  double sum[2] = {0, 0};
  double count[2] = {0, 0};
  void add(std::size_t half, double value) {
    sum[half] += value;
    count[half] += 1;
  }
  [[nodiscard]] double mean() const { return (sum[0] + sum[1]) / (count[0] + count[1]); }
  [[nodiscard]] double of(std::size_t half) const {
    return count[half] > 0 ? sum[half] / count[half] : mean();
  }
};

class ElboScoring final : public ScoringPlan {
 public:
  explicit ElboScoring(const DiffusionModel& model) : model_(model) {}
  void describe(Fields& fields) override { settings_.describe(fields); }
  void settle() override;
  [[nodiscard]] Scores score(const Examples& examples, Rng rng) const override;
  [[nodiscard]] std::int64_t draws() const override {
    return is_whole() ? 1 : settings_.samples.value_or(usual_samples);
  }
  [[nodiscard]] Verdicts verdicts(const Scores::Columns&) const override {
    if (model_.predictor().classes() == 0) return {};
    return {{"given_label", settings_.labels}};
  }
  [[nodiscard]] std::vector<DrawnCurve> drawn(const Scores::Columns& tallies) const override;

 private:
  [[nodiscard]] bool is_whole() const {
    return *settings_.steps.timesteps > 0 && !settings_.samples;
  }
  // One draw of z_0 says nothing of its own noise.
  [[nodiscard]] bool tells_noise() const { return model_.levels() == 0 || recon_draws() > 1; }
  [[nodiscard]] std::int64_t recon_draws() const {
    return settings_.n_rec.value_or(usual_recon_draws);
  }
  // The points of a row and the half of the draws that each belongs to.
  struct Points {
    std::vector<TimePoint> points;
    std::vector<std::size_t> halves;
  };
  [[nodiscard]] Points points_of(const Rng& rng, std::uint32_t row) const;
  // Steps that are looked at a second time, with other noise, where all steps are looked at.
  [[nodiscard]] std::vector<std::int64_t> steps_again(const Rng& rng, std::uint32_t row) const;
  // The errors at the points of a row, and behind them those at its steps_again().
  struct Measured {
    const Points& own;
    std::span<const double> errors;
  };
  static void add_row(const Measured& row, Halves& sums, Scores::Columns& tallies);
  [[nodiscard]] double noise_of(std::span<const double> errors,
                                std::span<const std::int64_t> again) const;
  struct Term {
    std::vector<Halves> rows;
    std::vector<double> noise;  // of the means, where every step is looked at once
  };
  [[nodiscard]] Term diffusion(const ScoredRows& rows, const Rng& rng,
                               Scores::Columns& tallies) const;
  [[nodiscard]] Term reconstruction(const ScoredRows& rows, const Rng& rng) const;
  [[nodiscard]] Denoiser denoiser() const {
    return Denoiser(model_.predictor(), model_.process()).clip_to(settings_.steps.limit(model_));
  }

  const DiffusionModel& model_;
  ElboSettings settings_;
  std::optional<TimeIntegral> integral_;
};

void ElboScoring::settle() {
  StepKnobs& steps = settings_.steps;
  const bool own = settings_.schedule == "own";
  if (settings_.variance == 1)
    fail(ErrorKind::usage, "--variance 1", "one draw has no variance", "--variance 100");
  steps.settle_clipping(model_, "none");
  refuse_recon_draws(model_, settings_.n_rec);
  check_label_choice(model_, settings_.labels);
  const NoiseSchedule trained = model_.schedule();
  const NoiseSchedule schedule =
      own ? trained : NoiseSchedule(curve_of(settings_.schedule), trained.ends());
  if (*steps.timesteps == 0) {
    if (steps.grid != "auto")
      fail(ErrorKind::usage, "--grid " + steps.grid, "goes with --timesteps");
    integral_.emplace(schedule);
    return;
  }
  if (!own && steps.grid == "fitted")
    fail(ErrorKind::usage, "--schedule " + settings_.schedule, "does nothing with --grid fitted");
  if (!own) steps.grid = "uniform";
  steps.settle_grid(model_);
  integral_.emplace(schedule, steps.gammas(model_, schedule));
}

ElboScoring::Points ElboScoring::points_of(const Rng& rng, std::uint32_t row) const {
  Points all;
  if (is_whole()) {
    for (std::int64_t i = 1; i <= integral_->steps(); ++i) {
      all.points.push_back(integral_->step(i));
      all.halves.push_back(0);
    }
    return all;
  }
  const std::int64_t n = draws();
  const Substream starts = rng.stream(Stream::time, row);
  for (std::size_t half = 0; half < 2; ++half)
    for (const double u : even_times(starts.uniform(half), half == 0 ? n / 2 : n - n / 2)) {
      all.points.push_back(integral_->at(u));
      all.halves.push_back(half);
    }
  return all;
}

std::vector<std::int64_t> ElboScoring::steps_again(const Rng& rng, std::uint32_t row) const {
  if (!is_whole()) return {};
  constexpr std::uint64_t behind_points = 2;  // points_of() draws numbers 0 and 1
  const std::int64_t steps = integral_->steps();
  return spread_steps(rng.stream(Stream::time, row).uniform(behind_points), steps,
                      std::min(steps, looked_at_again));
}

// Two looks at a step differ by twice its variance in the mean square, and a step is among those
// looked at again with probability count / T.
double ElboScoring::noise_of(std::span<const double> errors,
                             std::span<const std::int64_t> again) const {
  const auto steps = static_cast<double>(integral_->steps());
  double variance = 0;
  for (std::size_t j = 0; j < again.size(); ++j) {
    const double difference = integral_->step(again[j]).weight / steps *
                              (errors[at(again[j] - 1)] - errors[at(integral_->steps()) + j]);
    variance += difference * difference / 2 * steps / static_cast<double>(again.size());
  }
  return std::sqrt(variance);
}

// Rows are taken together only where each of them has too few points to keep the network busy.
ElboScoring::Term ElboScoring::diffusion(const ScoredRows& rows, const Rng& rng,
                                         Scores::Columns& tallies) const {
  const std::int64_t points = is_whole() ? integral_->steps() : draws();
  const std::int64_t together = points < enough_points ? rows.count : 1;
  Term term{std::vector<Halves>(at(rows.count)), {}};
  for (std::int64_t first = 0; first < rows.count; first += together) {
    std::vector<NoisyPlace> places;
    std::vector<Points> own;
    std::vector<std::vector<std::int64_t>> again;
    for (std::int64_t i = first; i < first + together; ++i) {
      own.push_back(points_of(rng, rows.number(i)));
      for (std::size_t p = 0; p < own.back().points.size(); ++p)
        places.push_back({i, own.back().points[p].gamma, p});
      again.push_back(steps_again(rng, rows.number(i)));
      for (const std::int64_t step : again.back())
        places.push_back({i, integral_->step(step).gamma, at(points + step)});
    }
    const std::vector<double> errors = denoising_errors(denoiser(), rows, places, rng);
    const std::size_t each = errors.size() / at(together);
    for (std::int64_t i = 0; i < together; ++i) {
      const auto of_row = std::span(errors).subspan(at(i) * each, each);
      add_row({own[at(i)], of_row}, term.rows[at(first + i)], tallies);
      if (is_whole()) term.noise.push_back(noise_of(of_row, again[at(i)]));
    }
  }
  return term;
}

void ElboScoring::add_row(const Measured& row, Halves& sums, Scores::Columns& tallies) {
  for (std::size_t p = 0; p < row.own.points.size(); ++p) {
    const TimePoint& point = row.own.points[p];
    sums.add(row.own.halves[p], point.weight * row.errors[p]);
    const auto bin = static_cast<std::size_t>(point.t * static_cast<double>(drawn_points));
    const std::size_t place = std::min(bin, at(drawn_points - 1));
    tallies[0].second[place] += exactly_summable(row.errors[p]);
    tallies[1].second[place] += 1;
  }
}

ElboScoring::Term ElboScoring::reconstruction(const ScoredRows& rows, const Rng& rng) const {
  const double gamma_0 = integral_->schedule().ends().first,
               jacobian = model_.reader().log_jacobian();
  const double deviation = std::exp(gamma_0 / 2);
  Term term{std::vector<Halves>(at(rows.count)), {}};
  std::vector<double> r(at(rows.dims));
  const std::int64_t draws = recon_draws();
  for (std::int64_t i = 0; i < rows.count; ++i) {
    Halves& own = term.rows[at(i)];
    if (model_.levels() == 0) {
      own.add(0, jacobian - static_cast<double>(rows.dims) * expected_real_nats(gamma_0));
      continue;
    }
    const std::span<const double> x = rows.row(i);
    for (std::int64_t draw = 0; draw < draws; ++draw) {
      draw_first_noise(rng, rows.number(i), static_cast<std::uint64_t>(draw), r);
      for (std::size_t d = 0; d < r.size(); ++d) r[d] = x[d] + deviation * r[d];
      own.add(draw < draws / 2 ? 0 : 1, log_reconstruction(model_.levels(), gamma_0, x, r));
    }
  }
  return term;
}

Scores ElboScoring::score(const Examples& examples, Rng rng) const {
  single_threaded_kernels();
  LOGPX_ASSERT(integral_.has_value());
  const ScoredRows rows =
      take_rows(model_, examples, settings_.labels ? Labels::used : Labels::ignored);
  Scores scores{.kind = Bound::stochastic_lower_bound};
  scores.tallies = {{errors_tally, std::vector<double>(at(drawn_points))},
                    {counts_tally, std::vector<double>(at(drawn_points))}};
  const Term diffusion = this->diffusion(rows, rng, scores.tallies);
  const Term recon = reconstruction(rows, rng);
  std::vector<double> kept, lost, prior;
  for (std::int64_t i = 0; i < rows.count; ++i) {
    const Halves &a = recon.rows[at(i)], &b = diffusion.rows[at(i)];
    kept.push_back(a.mean());
    lost.push_back(b.mean());
    prior.push_back(prior_term(integral_->schedule().ends().last, rows.row(i)));
    scores.nats.push_back(kept.back() - lost.back() - prior.back());
    if (!tells_noise()) continue;
    if (is_whole())
      scores.mc_std_error.push_back(std::hypot(diffusion.noise[at(i)], (a.of(0) - a.of(1)) / 2));
    else if (draws() > 1)
      scores.mc_std_error.push_back(std::abs(a.of(0) - b.of(0) - a.of(1) + b.of(1)) / 2);
  }
  scores.terms = {
      {"recon", std::move(kept)}, {"diffusion", std::move(lost)}, {"prior", std::move(prior)}};
  if (settings_.variance > 0)
    scores.facts = variances_of_draws({denoiser(), *integral_, rows}, settings_.variance, rng);
  return scores;
}

std::vector<DrawnCurve> ElboScoring::drawn(const Scores::Columns& tallies) const {
  const NoiseSchedule& schedule = integral_->schedule();
  std::vector<DrawnCurve> curves = drawn_schedule(schedule);
  DrawnCurve errors = drawn_errors();
  for (std::int64_t i = 0; i < drawn_points; ++i) {
    const double count = tallies[1].second[at(i)];
    errors.x.push_back(
        schedule.gamma((static_cast<double>(i) + 0.5) / static_cast<double>(drawn_points)));
    errors.y.push_back(count > 0 ? tallies[0].second[at(i)] / count
                                 : std::numeric_limits<double>::quiet_NaN());
  }
  curves.push_back(std::move(errors));
  return curves;
}

}  // namespace

void add_recon_draws(Fields& fields, std::optional<std::int64_t>& n_rec) {
  fields.add("n-rec", n_rec, "draws of z_0 for the term of x given z_0")
      .at_least(1)
      .shows_default("2")
      .rank(Rank::manual);
}

void add_label_choice(Fields& fields, bool& labels) {
  fields.add("labels", labels, "log p(x|label) where the model knows labels, or log p(x)")
      .rank(Rank::manual);
}

void refuse_recon_draws(const DiffusionModel& model, const std::optional<std::int64_t>& n_rec) {
  if (n_rec && model.levels() == 0)
    fail(ErrorKind::usage, "--n-rec", "does nothing for real numbers, whose term is known exactly");
}

void check_label_choice(const DiffusionModel& model, const bool& labels) {
  if (labels) return;
  if (model.predictor().classes() == 0)
    fail(ErrorKind::usage, "--no-labels", "does nothing: this model was trained without labels");
  if (!model.knows_no_label())
    fail(ErrorKind::usage, "--no-labels", "needs a model that was trained with a --label-drop");
}

void ElboSettings::describe(Fields& fields) {
  // with --timesteps, one for each step unless given
  fields.add("samples", samples, "noise draws, weights or orders per example")
      .at_least(1)
      .shows_default("8");
  steps.describe(fields, {.default_steps = "0, which is continuous time",
                          .default_clipping = "none",
                          .fewest_steps = 0});
  fields
      .add_word("schedule", schedule,
                {{"own", "the one that was trained"},
                 {"linear", "straight from one end to the other"},
                 {"beta-linear", "that of DDPM"},
                 {"alpha-cosine", "that of improved DDPM"}},
                "how gamma runs from one end to the other, of which the bound does not depend")
      .rank(Rank::manual);
  fields.add("variance", variance, "measure the variance of so many single draws per example")
      .at_least(0)
      .source("VDM table 4b")
      .rank(Rank::manual);
  add_recon_draws(fields, n_rec);
  add_label_choice(fields, labels);
}

std::unique_ptr<ScoringPlan> make_elbo_scoring(const DiffusionModel& model) {
  return std::make_unique<ElboScoring>(model);
}

}  // namespace logpx::vdm
