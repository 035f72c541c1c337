#include "libcore/eval/power_posterior.hpp"

#include "libcore/base/fields.hpp"
#include "libcore/base/stop.hpp"
#include "libcore/eval/chains.hpp"
#include "libcore/eval/log_weights.hpp"
#include "libcore/math/hmc.hpp"
#include "libcore/model/plan.hpp"

#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace logpx {
namespace {

constexpr std::int64_t burn_share = 5;       // of the moves at a temperature, one in so many
constexpr std::int64_t adapting_moves = 30;  // at a temperature

// Numbers in the stream of annealing, above those of ais.
enum class PowerUse : std::uint32_t { adaptation = 11, sampling, prior };
Rng power_rng(Rng rng, PowerUse use) {
  return own_generator(rng, Stream::ais, static_cast<std::uint32_t>(use));
}

// The steps of t below and above a temperature; 0 at the ends.
struct StepWidths {
  double below = 0, above = 0;
};

// What some samples at one temperature have seen of l = log p(x|z).
class PowerSums {
 public:
  void add(double l, const StepWidths& widths) {
    ++count_;
    const double off = l - mean_;
    mean_ += off / count_;
    squares_ += off * (l - mean_);
    ahead_.add(widths.above * l);
    back_.add(-widths.below * l);
  }
  void add(const PowerSums& others) {
    if (others.count_ == 0) return;
    const double total = count_ + others.count_, off = others.mean_ - mean_;
    squares_ += others.squares_ + off * off * count_ * others.count_ / total;
    mean_ += off * others.count_ / total;
    count_ = total;
    ahead_.add(others.ahead_);
    back_.add(others.back_);
  }
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double variance() const { return count_ > 1 ? squares_ / (count_ - 1) : 0; }
  [[nodiscard]] double log_ahead() const { return ahead_.log_mean(); }  // of exp(dt_(k+1) l)
  [[nodiscard]] double log_back() const { return back_.log_mean(); }    // of exp(-dt_k l)

 private:
  double count_ = 0, mean_ = 0, squares_ = 0;
  LogWeights ahead_, back_;
};

// One for every temperature.
using PowerPath = std::vector<PowerSums>;
using PathTerms = std::function<std::vector<double>(const PowerPath&)>;

class PowerChains {
 public:
  PowerChains(const LatentBlock& block, const PowerOptions& options)
      : block_(block),
        options_(options),
        t_(power_temperatures(options.temps, options.power)),
        total_(static_cast<std::size_t>(options.chains * block.rows())),
        joint_(block.latents.joint(block.examples, options.chains)),
        log_prior_(total_),
        log_likelihood_(total_),
        numbers_(chain_numbers(block, options.chains)),
        sizes_(t_.size(), std::vector<double>(total_, first_size)),
        seen_(total_, PowerPath(t_.size())),
        accepted_(total_) {}

  // A run whose only result are the step sizes: at each temperature the mean of the later ones.
  void adapt() {
    const Rng noise = power_rng(block_.rng, PowerUse::adaptation);
    std::vector<float> z = draw_prior_starts(block_, {options_.chains, 0, options_.chains}, noise);
    for (std::size_t k = 1; k < t_.size(); ++k) {
      ChainStates states = start_chains(std::move(z), block_.latents.dims(), at(t_[k]));
      adapt_at(k, states, noise);
      z = std::move(states.z);
    }
  }

  void sample() {
    const Rng noise = power_rng(block_.rng, PowerUse::sampling);
    std::vector<float> z = sample_prior();
    for (std::size_t k = 1; k < t_.size(); ++k) {
      ChainStates states = start_chains(std::move(z), block_.latents.dims(), at(t_[k]));
      const std::int64_t burn = options_.moves() / burn_share + 1;
      for (std::int64_t m = 0; m < burn + options_.moves(); ++m) {
        const HmcOutcome outcome = move(states, t_[k], sizes_[k], noise);
        if (m < burn) continue;
        for (std::size_t c = 0; c < total_; ++c) accepted_[c] += outcome.accept[c];
        look(k, states.z);
      }
      z = std::move(states.z);
    }
  }

  // All chains of a row, but for one where that is wanted.
  [[nodiscard]] PowerPath path(std::size_t row, std::int64_t without = -1) const {
    PowerPath all(t_.size());
    const auto rows = static_cast<std::size_t>(block_.rows());
    for (std::int64_t c = 0; c < options_.chains; ++c) {
      if (c == without) continue;
      const PowerPath& one = seen_[static_cast<std::size_t>(c) * rows + row];
      for (std::size_t k = 0; k < all.size(); ++k) all[k].add(one[k]);
    }
    return all;
  }
  [[nodiscard]] double acceptance(std::size_t row) const {
    double sum = 0;
    for (std::size_t c = row; c < total_; c += static_cast<std::size_t>(block_.rows()))
      sum += accepted_[c];
    return sum / static_cast<double>(options_.chains * options_.moves() * options_.temps);
  }
  [[nodiscard]] const std::vector<double>& temperatures() const { return t_; }

 private:
  static constexpr double first_size = 0.1;

  // log p(x|z)^t p(z) and its gradient.
  [[nodiscard]] ChainDensity at(double t) {
    return [this, t](std::span<const float> z, std::span<double> log_density,
                     std::span<float> gradient) {
      joint_->evaluate(z, {log_prior_, log_likelihood_},
                       {.prior_weight = 1, .likelihood_weight = t, .values = gradient});
      for (std::size_t c = 0; c < total_; ++c)
        log_density[c] = log_prior_[c] + t * log_likelihood_[c];
    };
  }

  HmcOutcome move(ChainStates& states, double t, std::span<const double> sizes, Rng noise) {
    stop::check();
    return hmc_move(states, at(t), {options_.leapfrog, sizes},
                    chain_noise(noise, moved_++, numbers_));
  }

  void adapt_at(std::size_t k, ChainStates& states, Rng noise) {
    std::vector<StepSize> steps;
    for (std::size_t c = 0; c < total_; ++c)
      steps.emplace_back(options_.accept, k > 1 ? sizes_[k - 1][c] : first_size);
    std::vector<double> now(total_), later(total_);
    for (std::int64_t m = 0; m < adapting_moves; ++m) {
      for (std::size_t c = 0; c < total_; ++c) now[c] = steps[c].value();
      const HmcOutcome outcome = move(states, t_[k], now, noise);
      for (std::size_t c = 0; c < total_; ++c) {
        steps[c].update(outcome.accept[c]);
        if (2 * m >= adapting_moves)
          later[c] += 2 * steps[c].value() / static_cast<double>(adapting_moves);
      }
    }
    sizes_[k] = later;
  }

  // The exact samples of the prior; the last of them are where the chains begin.
  std::vector<float> sample_prior() {
    const Rng rng = power_rng(block_.rng, PowerUse::prior);
    std::vector<float> z;
    for (std::int64_t m = 0; m < options_.moves(); ++m) {
      stop::check();
      z = draw_prior_starts(block_,
                            {.chains = options_.chains,
                             .first = m * options_.chains,
                             .draws = options_.moves() * options_.chains},
                            rng);
      look(0, z);
    }
    return z;
  }

  void look(std::size_t k, std::span<const float> z) {
    joint_->evaluate(z, {log_prior_, log_likelihood_}, {});
    const StepWidths widths{k > 0 ? t_[k] - t_[k - 1] : 0,
                            k + 1 < t_.size() ? t_[k + 1] - t_[k] : 0};
    for (std::size_t c = 0; c < total_; ++c) seen_[c][k].add(log_likelihood_[c], widths);
  }

  const LatentBlock& block_;
  const PowerOptions& options_;
  std::vector<double> t_;
  std::size_t total_;
  std::unique_ptr<LatentJoint> joint_;
  std::vector<double> log_prior_, log_likelihood_;
  std::vector<std::uint64_t> numbers_;
  std::vector<std::vector<double>> sizes_;  // [temperature][chains * rows]
  std::vector<PowerPath> seen_;             // [chains * rows]
  std::vector<double> accepted_;
  std::uint32_t moved_ = 0;
};

double sum_of(const std::vector<double>& terms) {
  return std::accumulate(terms.begin(), terms.end(), 0.0);
}

PowerMoments moments_of(const PowerPath& path, const std::vector<double>& t) {
  PowerMoments moments{.t = t};
  for (const PowerSums& sums : path) {
    moments.mean.push_back(sums.mean());
    moments.variance.push_back(sums.variance());
  }
  return moments;
}

double rise_of(const PowerPath& path, const std::vector<double>& t) {
  const PowerMoments moments = moments_of(path, t);
  return sum_of(ti_terms(TiFormula::right, moments)) - sum_of(ti_terms(TiFormula::left, moments));
}

// The standard error of a number from its values without one chain each.
double leave_one_error(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt((count - 1) / count * squares);
}

// Columns E_0 .. E_N, V_0 .. V_N, log_Z_t_0 .. log_Z_t_N, accept, rise.
Scores::Columns empty_columns(std::size_t temperatures) {
  Scores::Columns columns;
  for (const char* const name : {"E_", "V_", "log_Z_t_"})
    for (std::size_t k = 0; k < temperatures; ++k)
      columns.emplace_back(name + std::to_string(k), std::vector<double>());
  columns.emplace_back("accept", std::vector<double>());
  columns.emplace_back("rise", std::vector<double>());
  return columns;
}

void score_row(Scores& scores, const PowerChains& chains, const PowerOptions& options,
               const PathTerms& terms_of) {
  const std::vector<double>& t = chains.temperatures();
  const std::size_t row = scores.nats.size(), count = t.size();
  const PowerPath all = chains.path(row);
  const PowerMoments moments = moments_of(all, t);
  const std::vector<double> terms = terms_of(all);
  double log_z = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (k > 0) log_z += terms[k - 1];
    scores.facts[k].second.push_back(moments.mean[k]);
    scores.facts[count + k].second.push_back(moments.variance[k]);
    scores.facts[2 * count + k].second.push_back(log_z);
  }
  scores.nats.push_back(log_z);
  scores.facts[3 * count].second.push_back(chains.acceptance(row));

  std::vector<double> values, rises;
  for (std::int64_t c = 0; c < options.chains && options.chains > 1; ++c) {
    const PowerPath others = chains.path(row, c);
    values.push_back(sum_of(terms_of(others)));
    rises.push_back(rise_of(others, t));
  }
  const double error = rises.empty() ? 0 : leave_one_error(rises);
  scores.facts[3 * count + 1].second.push_back(error > 0 ? rise_of(all, t) / error : 0);
  if (!values.empty()) scores.mc_std_error.push_back(leave_one_error(values));
}

Scores power_scores(const LatentBlock& block, const PowerOptions& options, Bound kind,
                    const PathTerms& terms_of) {
  PowerChains chains(block, options);
  chains.adapt();
  chains.sample();
  Scores scores{.kind = kind};
  scores.facts = empty_columns(chains.temperatures().size());
  for (std::int64_t i = 0; i < block.rows(); ++i) score_row(scores, chains, options, terms_of);
  return scores;
}

}  // namespace

std::vector<double> ti_terms(TiFormula formula, const PowerMoments& moments) {
  const auto& [t, mean, variance] = moments;
  std::vector<double> terms;
  for (std::size_t k = 1; k < t.size(); ++k) {
    const double width = t[k] - t[k - 1], left = width * mean[k - 1], right = width * mean[k];
    switch (formula) {
      case TiFormula::left: terms.push_back(left); break;
      case TiFormula::right: terms.push_back(right); break;
      case TiFormula::trapezoid: terms.push_back((left + right) / 2); break;
      case TiFormula::corrected:
        terms.push_back((left + right) / 2 - width * width * (variance[k] - variance[k - 1]) / 12);
        break;
      case TiFormula::eq32: terms.push_back(k == 1 ? 0 : left); break;
    }
  }
  return terms;
}

void PowerOptions::describe(Fields& f) {
  add_samples(f, samples);
  f.add("temps", temps, "temperatures above 0").range(1, 10'000).rank(Rank::manual);
  f.add("power", power, "power p of the temperatures (k/N)^p").range(0.01, 100).rank(Rank::manual);
  add_chains(f, chains);
  add_moves(f, leapfrog, accept);
}

Scores thermodynamic_integration(const LatentBlock& block, const PowerOptions& options,
                                 TiFormula formula) {
  const std::vector<double> t = power_temperatures(options.temps, options.power);
  return power_scores(block, options, Bound::estimate, [&](const PowerPath& path) {
    return ti_terms(formula, moments_of(path, t));
  });
}

Scores stepping_stones(const LatentBlock& block, const PowerOptions& options,
                       SteppingStone direction) {
  const bool forward = direction == SteppingStone::forward;
  return power_scores(block, options, forward ? Bound::stochastic_lower_bound : Bound::upper_bound,
                      [&](const PowerPath& path) {
                        std::vector<double> terms;
                        for (std::size_t k = 1; k < path.size(); ++k)
                          terms.push_back(forward ? path[k - 1].log_ahead() : -path[k].log_back());
                        return terms;
                      });
}

}  // namespace logpx
