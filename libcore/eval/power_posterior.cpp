#include "libcore/eval/power_posterior.hpp"

#include "libcore/base/fields.hpp"
#include "libcore/eval/chains.hpp"
#include "libcore/eval/power_chains.hpp"
#include "libcore/math/replica_exchange.hpp"
#include "libcore/model/common_errors.hpp"
#include "libcore/model/plan.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace logpx {
namespace {

// What each step adds to log Z_t, from the moments of all samples.
using PathTerms = std::function<std::vector<double>(const PowerPath&)>;

struct PathRule {
  Bound kind = Bound::estimate;
  PathTerms terms;
  PathTerms compared = {};  // by another discretisation, if steps have an error
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

double sum_of_squares(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares;
}

// Why the answer for a row may be off, in nats.
struct RowErrors {
  double noise = 0;           // of the chains, by the jackknife
  double discretisation = 0;  // minus the answer by another rule, signed
  double between_chains = 0;  // log mean of their evidences minus their mean log
  [[nodiscard]] double all() const { return std::hypot(noise, discretisation, between_chains); }
};

// Chains in different modes answer for those modes alone, and the evidence of all modes is the mean
// of their evidences, not of the logarithms. Noise within chains, estimated from their halves, adds
// half of its variance to that difference.
double between_chains_of(const PowerChains& chains, std::size_t row, std::int64_t count,
                         const PathRule& rule) {
  LogWeights answers;
  double within = 0;
  for (std::int64_t c = 0; c < count; ++c) {
    const double first = sum_of(rule.terms(chains.half(row, c, 0)));
    const bool single = chains.half(row, c, 1).front().count() == 0;
    const double second = single ? first : sum_of(rule.terms(chains.half(row, c, 1)));
    answers.add((first + second) / 2);
    within += (first - second) * (first - second) / 4 / static_cast<double>(count);
  }
  return std::max(0.0, answers.log_mean() - answers.mean_log() - within / 2);
}

RowErrors errors_of(const PowerChains& chains, std::size_t row, std::int64_t count,
                    const PathRule& rule) {
  RowErrors errors;
  if (rule.compared) {
    const PowerPath all = chains.path(row);
    errors.discretisation = sum_of(rule.terms(all)) - sum_of(rule.compared(all));
  }
  if (count < 2) return errors;
  std::vector<double> without;
  for (std::int64_t c = 0; c < count; ++c)
    without.push_back(sum_of(rule.terms(chains.path_without(row, c))));
  const auto n = static_cast<double>(count);
  errors.noise = std::sqrt((n - 1) / n * sum_of_squares(without));
  errors.between_chains = between_chains_of(chains, row, count, rule);
  return errors;
}

// Columns E_0 .. E_N, V_0 .. V_N, log_Z_t_0 .. log_Z_t_N, then those of the whole path.
Scores::Columns empty_columns(std::size_t temperatures, const PathRule& rule) {
  Scores::Columns columns;
  for (const char* const name : {"E_", "V_", "log_Z_t_"})
    for (std::size_t k = 0; k < temperatures; ++k)
      columns.emplace_back(name + std::to_string(k), std::vector<double>());
  for (const char* const name : {"accept", r_hat_fact, between_chains_fact})
    columns.emplace_back(name, std::vector<double>());
  if (rule.compared) columns.emplace_back(discretisation_fact, std::vector<double>());
  return columns;
}

void score_row(Scores& scores, const PowerChains& chains, const PowerOptions& options,
               const PathRule& rule) {
  const std::vector<double>& t = chains.temperatures();
  const std::size_t row = scores.nats.size(), count = t.size();
  const PowerPath all = chains.path(row);
  const PowerMoments moments = moments_of(all, t);
  const std::vector<double> terms = rule.terms(all);
  double log_z = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (k > 0) log_z += terms[k - 1];
    scores.facts[k].second.push_back(moments.mean[k]);
    scores.facts[count + k].second.push_back(moments.variance[k]);
    scores.facts[2 * count + k].second.push_back(log_z);
  }
  scores.nats.push_back(log_z);
  const RowErrors errors = errors_of(chains, row, options.chains, rule);
  std::size_t fact = 3 * count;
  for (const double value : {chains.acceptance(row), chains.r_hat(row), errors.between_chains})
    scores.facts[fact++].second.push_back(value);
  if (rule.compared) scores.facts[fact].second.push_back(errors.discretisation);
  if (options.chains > 1) scores.mc_std_error.push_back(errors.all());
}

Scores power_scores(const LatentBlock& block, const PowerOptions& options, const PathRule& rule) {
  PowerChains chains(block, options);
  chains.run();
  Scores scores{.kind = rule.kind};
  scores.facts = empty_columns(chains.temperatures().size(), rule);
  for (std::int64_t i = 0; i < block.rows(); ++i) score_row(scores, chains, options, rule);
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

Scores thermodynamic_integration(const LatentBlock& block, const PowerOptions& options,
                                 TiFormula formula) {
  const std::vector<double> t = power_temperatures(options.temps, options.power);
  const auto by = [&t](TiFormula rule) {
    return [&t, rule](const PowerPath& path) { return ti_terms(rule, moments_of(path, t)); };
  };
  const bool corrected = formula == TiFormula::corrected;
  return power_scores(block, options,
                      {.terms = by(formula),
                       .compared = by(corrected ? TiFormula::trapezoid : TiFormula::corrected)});
}

Scores stepping_stones(const LatentBlock& block, const PowerOptions& options,
                       SteppingStone direction) {
  const auto by = [](bool forward) {
    return [forward](const PowerPath& path) {
      std::vector<double> steps;
      for (std::size_t k = 1; k < path.size(); ++k)
        steps.push_back(forward ? path[k - 1].log_ahead() : -path[k].log_back());
      return steps;
    };
  };
  if (direction == SteppingStone::forward)
    return power_scores(block, options, {.kind = Bound::stochastic_lower_bound, .terms = by(true)});
  return power_scores(block, options, {.terms = by(false), .compared = by(true)});
}

}  // namespace logpx
