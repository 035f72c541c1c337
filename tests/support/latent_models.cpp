#include "tests/support/latent_models.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/math/least_squares.hpp"
#include "libcore/model/latent_sampling.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/plans.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace logpx::testing {
namespace {

const double log_two_pi = std::log(2 * std::numbers::pi);

double log_determinant(std::vector<double> a, std::size_t n) {
  double sum = 0;
  for (std::size_t k = 0; k < n; ++k) {
    sum += std::log(a[k * n + k]);
    for (std::size_t i = k + 1; i < n; ++i)
      for (std::size_t j = n; j-- > k;) a[i * n + j] -= a[i * n + k] / a[k * n + k] * a[k * n + j];
  }
  return sum;
}

class FixtureJoint final : public LatentJoint {
 public:
  FixtureJoint(const LatentFixture& model, const Examples& examples, std::int64_t copies)
      : model_(model),
        copies_(static_cast<std::size_t>(copies)),
        dims_(static_cast<std::size_t>(model.dims())) {
    for (std::int64_t i = 0; i < examples.rows.count; ++i)
      x_.push_back(model.example(examples.rows, static_cast<std::size_t>(i)));
  }
  void evaluate(std::span<const float> z, const Values& values, const Gradient& gradient) override {
    LOGPX_ASSERT(z.size() == copies_ * x_.size() * dims_);
    for (std::size_t e = 0; e < copies_ * x_.size(); ++e) {
      std::vector<double> own, slope(dims_);
      double squares = 0;
      for (std::size_t d = 0; d < dims_; ++d) {
        own.push_back(static_cast<double>(z[e * dims_ + d]));
        squares += log_two_pi + own[d] * own[d];
      }
      values.log_prior[e] = -squares / 2;
      values.log_likelihood[e] = model_.log_likelihood(x_[e % x_.size()], own, slope);
      for (std::size_t d = 0; d < dims_ && !gradient.values.empty(); ++d)
        gradient.values[e * dims_ + d] = static_cast<float>(gradient.likelihood_weight * slope[d] -
                                                            gradient.prior_weight * own[d]);
    }
  }

 private:
  const LatentFixture& model_;
  std::size_t copies_, dims_;
  std::vector<std::vector<double>> x_;
};

}  // namespace

Abilities abilities(const LatentFixture& model) {
  Abilities can{.model = &model};
  can.latents = itself<ModelLatents>(model);
  can.sample = [&model, latents = can.latents] {
    return std::make_unique<LatentSampling>(model, latents);
  };
  return can;
}

std::unique_ptr<LatentJoint> LatentFixture::joint(const Examples& examples,
                                                  std::int64_t copies) const {
  return std::make_unique<FixtureJoint>(*this, examples, copies);
}

void LatentFixture::draw_prior(std::span<float> z, std::int64_t first, Rng rng) const {
  fill_normals(rng.stream(Stream::prior_samples), static_cast<std::uint64_t>(first * dims_), z);
}

std::vector<float> LatentFixture::observed(const Examples& examples) const {
  std::vector<float> all;
  for (std::int64_t i = 0; i < examples.rows.count; ++i)
    for (const double x : example(examples.rows, static_cast<std::size_t>(i)))
      all.push_back(static_cast<float>(x));
  return all;
}

std::vector<double> LatentFixture::example(const Rows& rows, std::size_t row) const {
  const auto size = static_cast<std::size_t>(info_.data.dims());
  std::vector<double> x;
  for (std::size_t d = 0; d < size; ++d)
    x.push_back(info_.data.element == Element::u8
                    ? static_cast<double>(rows.values<std::uint8_t>()[row * size + d])
                    : static_cast<double>(rows.values<float>()[row * size + d]));
  return x;
}

LinearGaussian::LinearGaussian(Weights weights, std::int64_t dims) : weights_(std::move(weights)) {
  dims_ = dims;
  info_ = {.family = "linear-gaussian", .data = {}, .samples = {}, .block = 4};
  info_.data.name = "points";
  info_.data.content = Content::vector;
  info_.data.measure = info_.measure = Measure::lebesgue;
  info_.data.element = Element::f32;
  info_.data.shape = {std::ssize(weights_.b)};
  info_.samples = info_.data;
  const auto j = static_cast<std::size_t>(dims);
  precision_.resize(j * j);
  for (std::size_t a = 0; a < j; ++a)
    for (std::size_t b = 0; b < j; ++b) {
      precision_[a * j + b] = a == b ? 1 : 0;
      for (std::size_t d = 0; d < weights_.b.size(); ++d)
        precision_[a * j + b] += weights_.w[d * j + a] * weights_.w[d * j + b] / weights_.sigma2;
    }
}

std::vector<double> LinearGaussian::posterior_mean(std::span<const double> x) const {
  const auto j = static_cast<std::size_t>(dims_);
  std::vector<double> side(j);
  for (std::size_t d = 0; d < x.size(); ++d)
    for (std::size_t a = 0; a < j; ++a)
      side[a] += weights_.w[d * j + a] * (x[d] - weights_.b[d]) / weights_.sigma2;
  return solve({.rows = dims_, .columns = dims_}, precision_, side);
}

double LinearGaussian::log_likelihood(std::span<const double> x, std::span<const double> z,
                                      std::span<double> gradient) const {
  double sum = 0;
  for (std::size_t d = 0; d < x.size(); ++d) {
    double off = x[d] - weights_.b[d];
    for (std::size_t a = 0; a < z.size(); ++a) off -= weights_.w[d * z.size() + a] * z[a];
    sum += log_two_pi + std::log(weights_.sigma2) + off * off / weights_.sigma2;
    for (std::size_t a = 0; a < z.size(); ++a)
      gradient[a] += off * weights_.w[d * z.size() + a] / weights_.sigma2;
  }
  return -sum / 2;
}

// log p(x) = log p(x, m) - log N(m; m, posterior covariance), m the posterior mean.
double LinearGaussian::log_evidence(std::span<const double> x) const {
  const std::vector<double> m = posterior_mean(x);
  std::vector<double> gradient(m.size());
  double sum = log_likelihood(x, m, gradient) - log_determinant(precision_, m.size()) / 2;
  for (const double z : m) sum -= z * z / 2;
  return sum;
}

Abilities abilities(const LinearGaussian& model) {
  Abilities can = abilities(static_cast<const LatentFixture&>(model));
  const auto score = [&model](const Examples& batch, Rng) {
    Scores scores{.kind = Bound::exact};
    for (std::int64_t i = 0; i < batch.rows.count; ++i)
      scores.nats.push_back(
          model.log_evidence(model.example(batch.rows, static_cast<std::size_t>(i))));
    return scores;
  };
  can.score = {{"exact", [score] { return std::make_unique<ScoreBy>(score); }}};
  return can;
}

Posterior LinearGaussian::encode(const Examples& examples) const {
  Posterior q{.count = examples.rows.count, .dims = dims_};
  const auto j = static_cast<std::size_t>(dims_);
  for (std::int64_t i = 0; i < q.count; ++i) {
    const auto mean = posterior_mean(example(examples.rows, static_cast<std::size_t>(i)));
    for (std::size_t a = 0; a < j; ++a) {
      q.mean.push_back(static_cast<float>(mean[a]));
      q.log_var.push_back(static_cast<float>(-std::log(precision_[a * j + a])));
    }
  }
  return q;
}

std::vector<float> LinearGaussian::mean(std::span<const float> z) const {
  const auto j = static_cast<std::size_t>(dims_), size = weights_.b.size();
  std::vector<float> x;
  for (std::size_t i = 0; i < z.size() / j; ++i)
    for (std::size_t d = 0; d < size; ++d) {
      double sum = weights_.b[d];
      for (std::size_t a = 0; a < j; ++a)
        sum += weights_.w[d * j + a] * static_cast<double>(z[i * j + a]);
      x.push_back(static_cast<float>(sum));
    }
  return x;
}

void LinearGaussian::sample(std::span<const float> z, Rows& out, std::int64_t first,
                            Rng rng) const {
  std::vector<float> x = mean(z), noise(x.size());
  fill_normals(rng.stream(Stream::sample_model),
               static_cast<std::uint64_t>(first * info_.data.dims()), noise);
  for (std::size_t e = 0; e < x.size(); ++e)
    x[e] += static_cast<float>(std::sqrt(weights_.sigma2)) * noise[e];
  const auto bytes = std::as_bytes(std::span(x));
  out.x.assign(bytes.begin(), bytes.end());
}

TinyBernoulli::TinyBernoulli(const Json& params)
    : wd_(numbers(params.at("Wd"))),
      bd_(numbers(params.at("bd"))),
      wo_(numbers(params.at("Wo"))),
      bo_(numbers(params.at("bo"))) {
  dims_ = std::ssize(wd_) / std::ssize(bd_);
  info_ = {.family = "tiny-bernoulli", .data = {}, .samples = {}, .block = 4};
  info_.data.name = "bits";
  info_.data.content = Content::vector;
  info_.data.shape = {std::ssize(bo_)};
  info_.data.levels = 2;
  info_.data.value_max = 1;
  info_.samples = info_.data;
}

Posterior TinyBernoulli::encode(const Examples&) const {
  fail(ErrorKind::usage, info_.family, "has no encoder");
}

std::vector<double> TinyBernoulli::hidden(std::span<const double> z) const {
  std::vector<double> g = bd_;
  for (std::size_t h = 0; h < g.size(); ++h) {
    for (std::size_t a = 0; a < z.size(); ++a) g[h] += z[a] * wd_[a * g.size() + h];
    g[h] = std::tanh(g[h]);
  }
  return g;
}

double TinyBernoulli::logit_of(std::span<const double> g, std::size_t d) const {
  double logit = bo_[d];
  for (std::size_t h = 0; h < g.size(); ++h) logit += g[h] * wo_[h * bo_.size() + d];
  return logit;
}

double TinyBernoulli::log_likelihood(std::span<const double> x, std::span<const double> z,
                                     std::span<double> gradient) const {
  const std::vector<double> g = hidden(z);
  std::vector<double> to_g(g.size());
  double sum = 0;
  for (std::size_t d = 0; d < x.size(); ++d) {
    const double logit = logit_of(g, d);
    sum += x[d] * logit - std::max(logit, 0.0) - std::log1p(std::exp(-std::abs(logit)));
    for (std::size_t h = 0; h < g.size(); ++h)
      to_g[h] += (x[d] - 1 / (1 + std::exp(-logit))) * wo_[h * x.size() + d];
  }
  for (std::size_t h = 0; h < g.size(); ++h)
    for (std::size_t a = 0; a < z.size(); ++a)
      gradient[a] += to_g[h] * (1 - g[h] * g[h]) * wd_[a * g.size() + h];
  return sum;
}

std::vector<float> TinyBernoulli::mean(std::span<const float> z) const {
  std::vector<float> x;
  const auto j = static_cast<std::size_t>(dims_);
  for (std::size_t i = 0; i < z.size(); i += j) {
    const auto own = z.subspan(i, j);
    const std::vector<double> g = hidden(std::vector<double>(own.begin(), own.end()));
    for (std::size_t d = 0; d < bo_.size(); ++d)
      x.push_back(static_cast<float>(1 / (1 + std::exp(-logit_of(g, d)))));
  }
  return x;
}

void TinyBernoulli::sample(std::span<const float> z, Rows& out, std::int64_t first, Rng rng) const {
  const std::vector<float> p = mean(z);
  const Substream bits = rng.stream(Stream::sample_model);
  out.x.resize(p.size());
  for (std::size_t e = 0; e < p.size(); ++e)
    out.x[e] = std::byte{bits.uniform(static_cast<std::uint64_t>(first * info_.data.dims()) + e) <
                                 static_cast<double>(p[e])
                             ? std::uint8_t{1}
                             : std::uint8_t{0}};
}

std::vector<double> numbers(const Json& nested) {
  if (!nested.is_array()) return {golden::real(nested)};
  std::vector<double> flat;
  for (const Json& item : nested.items())
    for (const double x : numbers(item)) flat.push_back(x);
  return flat;
}

Rows rows_of(const DatasetInfo& info, const Json& x) {
  const std::vector<double> values = numbers(x);
  Rows rows;
  rows.count = static_cast<std::int64_t>(values.size()) / info.dims();
  rows.x.resize(values.size() * element_size(info.element));
  for (std::size_t e = 0; e < values.size(); ++e) {
    if (info.element == Element::u8)
      rows.values<std::uint8_t>()[e] = static_cast<std::uint8_t>(values[e]);
    else rows.values<float>()[e] = static_cast<float>(values[e]);
  }
  return rows;
}

}  // namespace logpx::testing
