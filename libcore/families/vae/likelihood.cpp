#include "libcore/families/vae/likelihood.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/grad/ops_likelihood.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_reduce.hpp"
#include "libcore/math/repeatable.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::vae {
namespace {

constexpr double scale_low = -7, scale_high = 7;      // of a log-scale
constexpr double shape_low = -6.9, shape_high = 8.3;  // of a log-shape: 2^-10 to 2^12
constexpr double log_var_high = 10;

double value_at(std::span<const float> head, std::size_t i) { return static_cast<double>(head[i]); }

// log-weights to cumulative weights.
void accumulate_weights(std::vector<double>& log_weights) {
  const double top = *std::ranges::max_element(log_weights);
  double sum = 0;
  for (double& weight : log_weights) weight = sum += det_exp(weight - top);
}

// log p(k) for k = 0..n up to a constant: p(k+1)/p(k) = (n-k)/(k+1) (k+a)/(n-k-1+b).
std::vector<double> beta_binomial_log_weights(double a, double b, std::int64_t n) {
  std::vector<double> weights(static_cast<std::size_t>(n) + 1);
  for (std::int64_t k = 0; k < n; ++k) {
    const auto i = static_cast<double>(k), rest = static_cast<double>(n - k);
    weights[static_cast<std::size_t>(k) + 1] =
        weights[static_cast<std::size_t>(k)] +
        repeatable_log(rest / (i + 1) * ((i + a) / (rest - 1 + b)));
  }
  return weights;
}

struct Logistic {
  double mean, scale;
};

// E of the bin: the sum over k >= 1 of P(X >= k); edges lie between bins on [-1, 1].
double discretized_mean(const Logistic& p, std::int64_t levels) {
  const auto top = static_cast<double>(levels - 1);
  double sum = 0;
  for (std::int64_t k = 1; k < levels; ++k) {
    const double edge = (2 * static_cast<double>(k) - 1 - top) / top;
    sum += det_sigmoid((p.mean - edge) / p.scale);
  }
  return sum;
}

double discretized_draw(const Logistic& p, std::int64_t levels, DrawCursor& draws) {
  const double u = draws.uniform53();
  const double x = p.mean + p.scale * det_log(u / (1 - u));
  const auto top = static_cast<double>(levels - 1);
  return std::clamp(std::round((x + 1) / 2 * top), 0.0, top);
}

std::vector<HeadForm> limited_forms(const Config& c, std::int64_t levels) {
  const bool squashed = c.mean_activation == MeanActivation::sigmoid;
  switch (c.likelihood) {
    case Likelihood::bernoulli: return {{.name = "logits"}};
    case Likelihood::gaussian:
      return {{.name = "mean", .squashed = squashed},
              {.name = "log_var", .low = c.min_logvar, .high = log_var_high}};
    case Likelihood::gaussian_fixed: return {{.name = "mean", .squashed = squashed}};
    case Likelihood::logistic256:
      return {{.name = "mean"}, {.name = "log_scale", .low = scale_low, .high = scale_high}};
    case Likelihood::logistic_mix256:
      return {{.name = "logits", .per_dim = c.components},
              {.name = "mean", .per_dim = c.components},
              {.name = "log_scale", .per_dim = c.components, .low = scale_low, .high = scale_high}};
    case Likelihood::beta_binomial:
      return {{.name = "log_alpha", .low = shape_low, .high = shape_high},
              {.name = "log_beta", .low = shape_low, .high = shape_high}};
    case Likelihood::categorical: break;
  }
  return {{.name = "logits", .per_dim = levels}};
}

}  // namespace

std::vector<HeadForm> head_forms(const Config& config, std::int64_t levels) {
  std::vector<HeadForm> forms = limited_forms(config, levels);
  if (!config.smooth_limits)
    for (HeadForm& form : forms) form.low = form.high = std::nullopt;
  return forms;
}

LikelihoodModel::LikelihoodModel(const Config& config, std::int64_t levels)
    : kind_(config.likelihood),
      levels_(levels),
      per_dim_(head_forms(config, levels).front().per_dim),
      heads_(head_forms(config, levels).size() + (kind_ == Likelihood::gaussian_fixed ? 1 : 0)),
      gray_(config.allow_gray) {}

Var LikelihoodModel::log_prob(const Target& target, const Heads& heads) const {
  constexpr int kept = 2;  // [L,M]
  const Var x = target.x;
  switch (kind_) {
    case Likelihood::bernoulli: return bernoulli_log_prob(x, heads[0], kept);
    case Likelihood::gaussian:
    case Likelihood::gaussian_fixed: return gaussian_log_prob(x, heads[0], heads[1], kept);
    case Likelihood::logistic256:
      return discretized_logistic_log_prob(x, heads[0], heads[1], levels_, kept);
    case Likelihood::logistic_mix256:
      return discretized_logistic_mixture_log_prob(x, {heads[0], heads[1], heads[2]}, levels_,
                                                   kept);
    case Likelihood::beta_binomial:
      return beta_binomial_log_prob(x, heads[0], heads[1], levels_ - 1, kept);
    case Likelihood::categorical: break;
  }
  const Var each = categorical_log_prob(heads[0], *target.index);
  return sum(each, over_trailing(each, kept));
}

std::vector<double> LikelihoodModel::cumulative(const HeadValues& heads, std::size_t d) const {
  const auto k = static_cast<std::size_t>(per_dim_);
  std::vector<double> weights(k);
  for (std::size_t i = 0; i < k; ++i) weights[i] = value_at(heads[0], d * k + i);
  accumulate_weights(weights);
  return weights;
}

double LikelihoodModel::mean(const HeadValues& heads, std::size_t d) const {
  switch (kind_) {
    case Likelihood::bernoulli: return det_sigmoid(value_at(heads[0], d));
    case Likelihood::gaussian:
    case Likelihood::gaussian_fixed: return value_at(heads[0], d);
    case Likelihood::logistic256:
      return discretized_mean({value_at(heads[0], d), det_exp(value_at(heads[1], d))}, levels_);
    case Likelihood::beta_binomial: {
      const double a = det_exp(value_at(heads[0], d)), b = det_exp(value_at(heads[1], d));
      return static_cast<double>(levels_ - 1) * a / (a + b);
    }
    case Likelihood::logistic_mix256:
    case Likelihood::categorical: break;
  }
  const std::vector<double> weights = cumulative(heads, d);
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double weight = (weights[i] - (i == 0 ? 0 : weights[i - 1])) / weights.back();
    const std::size_t part = d * weights.size() + i;
    sum += weight *
           (kind_ == Likelihood::categorical
                ? static_cast<double>(i)
                : discretized_mean({value_at(heads[1], part), det_exp(value_at(heads[2], part))},
                                   levels_));
  }
  return sum;
}

double LikelihoodModel::draw(const HeadValues& heads, std::size_t d, DrawCursor& draws) const {
  switch (kind_) {
    case Likelihood::bernoulli: return draws.uniform() < det_sigmoid(value_at(heads[0], d)) ? 1 : 0;
    case Likelihood::gaussian: {
      const double deviation = det_exp(value_at(heads[1], d) / 2);
      return value_at(heads[0], d) + deviation * draws.normal();
    }
    case Likelihood::gaussian_fixed:
      return value_at(heads[0], d) + det_exp(value_at(heads[1], 0) / 2) * draws.normal();
    case Likelihood::logistic256:
      return discretized_draw({value_at(heads[0], d), det_exp(value_at(heads[1], d))}, levels_,
                              draws);
    case Likelihood::logistic_mix256: {
      const std::size_t part =
          d * static_cast<std::size_t>(per_dim_) + draws.categorical(cumulative(heads, d));
      return discretized_draw({value_at(heads[1], part), det_exp(value_at(heads[2], part))},
                              levels_, draws);
    }
    case Likelihood::beta_binomial: {
      std::vector<double> weights = beta_binomial_log_weights(
          det_exp(value_at(heads[0], d)), det_exp(value_at(heads[1], d)), levels_ - 1);
      accumulate_weights(weights);
      return static_cast<double>(draws.categorical(weights));
    }
    case Likelihood::categorical: break;
  }
  return static_cast<double>(draws.categorical(cumulative(heads, d)));
}

bool LikelihoodModel::supports(float value) const {
  if (is_density(kind_)) return std::isfinite(value);
  if (kind_ == Likelihood::bernoulli)
    return gray_ ? value >= 0 && value <= 1 : value == 0 || value == 1;
  return value >= 0 && value <= static_cast<float>(levels_ - 1) && value == std::floor(value);
}

std::string LikelihoodModel::support() const {
  if (is_density(kind_)) return "finite numbers";
  if (kind_ == Likelihood::bernoulli) return gray_ ? "numbers from 0 to 1" : "0 and 1";
  return "whole numbers from 0 to " + std::to_string(levels_ - 1);
}

}  // namespace logpx::vae
