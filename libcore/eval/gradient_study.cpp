#include "libcore/eval/gradient_study.hpp"

#include "libcore/base/stop.hpp"
#include "libcore/det/draws.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

// Running mean and sum of squared deviations of many numbers at once.
class Moments {
 public:
  explicit Moments(std::size_t size) : mean_(size), squares_(size) {}

  template <typename T>
  void add(std::span<const T> values) {
    ++count_;
    for (std::size_t e = 0; e < values.size(); ++e) {
      const double off = static_cast<double>(values[e]) - mean_[e];
      mean_[e] += off / static_cast<double>(count_);
      squares_[e] += off * (static_cast<double>(values[e]) - mean_[e]);
    }
  }
  void add(const Moments& others) {
    if (others.count_ == 0) return;
    const auto mine = static_cast<double>(count_), theirs = static_cast<double>(others.count_);
    for (std::size_t e = 0; e < mean_.size(); ++e) {
      const double off = others.mean_[e] - mean_[e];
      mean_[e] += off * theirs / (mine + theirs);
      squares_[e] += others.squares_[e] + off * off * mine * theirs / (mine + theirs);
    }
    count_ += others.count_;
  }
  [[nodiscard]] double mean(std::size_t e) const { return mean_[e]; }
  [[nodiscard]] double variance(std::size_t e) const {
    return count_ < 2 ? 0 : squares_[e] / static_cast<double>(count_ - 1);
  }

 private:
  std::int64_t count_ = 0;
  std::vector<double> mean_, squares_;
};

std::size_t size_of_parts(const std::vector<ModelGradients::Part>& parts) {
  std::int64_t sum = 0;
  for (const auto& part : parts) sum += part.elements;
  return static_cast<std::size_t>(sum);
}

EstimatorVariance by_part(const std::string& estimator, const Moments& moments,
                          const std::vector<ModelGradients::Part>& parts) {
  EstimatorVariance result{estimator, {}};
  std::size_t e = 0;
  for (const auto& part : parts) {
    PartVariance variance{part.name, part.elements};
    const auto size = static_cast<double>(part.elements);
    for (const std::size_t end = e + static_cast<std::size_t>(part.elements); e < end; ++e) {
      variance.variance += moments.variance(e) / size;
      variance.mean_square += moments.mean(e) * moments.mean(e) / size;
    }
    result.parts.push_back(std::move(variance));
  }
  return result;
}

}  // namespace

GradientDraw draw_gradient(const Integrand& f, double mu, double sigma, double eps) {
  const double z = mu + sigma * eps, value = f.value(z), slope = f.slope(z);
  return {slope, slope * eps, value * eps / sigma, value * (eps * eps - 1) / sigma};
}

Integrand quadratic(const ToyStudy& toy) {
  return {[toy](double z) { return (z - toy.a) * (z - toy.a) + toy.offset; },
          [toy](double z) { return 2 * (z - toy.a); }};
}

// With d = mu - a and A = d^2 + offset, f = A + 2 d sigma eps + sigma^2 eps^2; the moments 1, 3, 15
// and 105 of eps give the rest.
GradientDraw quadratic_variances(const ToyStudy& toy) {
  const double d2 = (toy.mu - toy.a) * (toy.mu - toy.a), s2 = toy.sigma * toy.sigma;
  const double big_a = d2 + toy.offset, cross = 4 * d2 * s2 + 2 * big_a * s2;
  return {.pathwise_mu = 4 * s2,
          .pathwise_sigma = 4 * (d2 + 3 * s2) - 4 * s2,
          .score_mu = (big_a * big_a + 3 * cross + 15 * s2 * s2) / s2 - 4 * d2,
          .score_sigma = (2 * big_a * big_a + 10 * cross + 78 * s2 * s2) / s2 - 4 * s2};
}

std::vector<ToyEstimator> study_toy(const ToyStudy& toy, Rng rng) {
  const GradientDraw exact = quadratic_variances(toy);
  const double to_mu = 2 * (toy.mu - toy.a), to_sigma = 2 * toy.sigma;
  std::vector<ToyEstimator> all(4);
  const double truths[] = {to_mu, to_sigma, to_mu, to_sigma};
  const double variances[] = {exact.pathwise_mu, exact.pathwise_sigma, exact.score_mu,
                              exact.score_sigma};
  const Integrand f = quadratic(toy);
  const Substream noise = rng.stream(Stream::evaluation);
  Moments moments(4);
  for (std::int64_t r = 0; r < std::max(toy.repeats, toy.num); ++r) {
    const GradientDraw draw =
        draw_gradient(f, toy.mu, toy.sigma, normal_at(noise, static_cast<std::uint64_t>(r)));
    const double values[] = {draw.pathwise_mu, draw.pathwise_sigma, draw.score_mu,
                             draw.score_sigma};
    if (r < toy.repeats) moments.add(std::span<const double>(values));
    for (std::size_t e = 0; e < 4 && r < toy.num; ++e) {
      const double before = r == 0 ? 0 : all[e].running_mean.back();
      all[e].draws.push_back(values[e]);
      all[e].running_mean.push_back(before + (values[e] - before) / static_cast<double>(r + 1));
    }
  }
  for (std::size_t e = 0; e < 4; ++e) {
    all[e].estimator = e < 2 ? "pathwise" : "score";
    all[e].parameter = e % 2 == 0 ? "mu" : "sigma";
    all[e].truth = truths[e];
    all[e].exact_variance = variances[e];
    all[e].mean = moments.mean(e);
    all[e].variance = moments.variance(e);
  }
  return all;
}

std::vector<EstimatorVariance> study_gradients(const ModelGradients& model,
                                               const Examples& minibatch, std::int64_t repeats,
                                               Rng rng, Workers& workers) {
  constexpr std::int64_t blocks = 8;
  const std::vector<ModelGradients::Part> parts = model.parts();
  const std::size_t size = size_of_parts(parts);
  std::vector<EstimatorVariance> result;
  for (const std::string& estimator : model.estimators()) {
    std::vector<Moments> moments(blocks, Moments(size));
    workers.run(blocks, [&](std::int64_t b) {
      std::vector<float> gradient(size);
      for (std::int64_t r = b * repeats / blocks; r < (b + 1) * repeats / blocks; ++r) {
        stop::check();
        model.draw(minibatch, estimator, static_cast<std::uint32_t>(r), rng, gradient);
        moments[static_cast<std::size_t>(b)].add(std::span<const float>(gradient));
      }
    });
    for (std::size_t b = 1; b < blocks; ++b) moments[0].add(moments[b]);
    result.push_back(by_part(estimator, moments[0], parts));
  }
  return result;
}

}  // namespace logpx
