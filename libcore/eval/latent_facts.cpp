#include "libcore/base/stop.hpp"
#include "libcore/eval/gap.hpp"
#include "libcore/eval/log_weights.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

constexpr std::int64_t most_rows = 2048;  // of the minibatch for q(z), and of its z

// A random subset of rows, fixed by the seed.
Posterior subset(const Posterior& q, Rng rng) {
  if (q.count <= most_rows) return q;
  const std::vector<std::uint32_t> order =
      permutation(static_cast<std::uint32_t>(q.count), rng.stream(Stream::structure));
  Posterior some{.count = most_rows, .dims = q.dims};
  for (std::int64_t i = 0; i < most_rows; ++i)
    for (std::int64_t d = 0; d < q.dims; ++d) {
      const auto e =
          static_cast<std::size_t>(std::int64_t{order[static_cast<std::size_t>(i)]} * q.dims + d);
      some.mean.push_back(q.mean[e]);
      some.log_var.push_back(q.log_var[e]);
    }
  return some;
}

// E[log q(z|x) - log q(z)], z ~ q(z|x). Of the N posteriors in q(z), the row's own weighs 1/N, and
// the others of the minibatch stand for the rest: unbiased for q(z), so that its logarithm is low
// on average and the information high, but never above log N.
double mutual_information(const Posterior& q, std::int64_t total, Rng rng) {
  if (q.count < 2) return 0;
  const PosteriorDraws draws = draw_posterior(q, {}, rng);
  const auto dims = static_cast<std::size_t>(q.dims), count = static_cast<std::size_t>(q.count);
  const auto n = static_cast<double>(total);
  const double others = std::log((n - 1) / n) - std::log(static_cast<double>(count - 1));
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 64 == 0) stop::check();
    const std::span<const float> z = std::span(draws.z).subspan(i * dims, dims);
    LogWeights mixture;
    for (std::size_t k = 0; k < count; ++k)
      mixture.add(k == i ? draws.log_q[i] - std::log(n) : others + log_density(q, k, z));
    sum += draws.log_q[i] - (mixture.log_mean() + std::log(static_cast<double>(count)));
  }
  return sum / static_cast<double>(count);
}

}  // namespace

LatentFacts latent_facts(const Posterior& q, Rng rng) {
  const auto dims = static_cast<std::size_t>(q.dims);
  const auto n = static_cast<double>(q.count);
  LatentFacts facts;
  for (auto* list : {&facts.kl, &facts.mean, &facts.variance, &facts.activity}) list->resize(dims);
  for (std::size_t e = 0; e < q.mean.size(); ++e) {
    const auto mu = static_cast<double>(q.mean[e]), log_var = static_cast<double>(q.log_var[e]);
    facts.kl[e % dims] += (mu * mu + (std::expm1(log_var) - log_var)) / 2 / n;
    facts.mean[e % dims] += mu / n;
    facts.variance[e % dims] += std::exp(log_var) / n;
  }
  for (std::size_t e = 0; e < q.mean.size(); ++e) {
    const double off = static_cast<double>(q.mean[e]) - facts.mean[e % dims];
    facts.activity[e % dims] += off * off / n;
  }
  for (std::size_t d = 0; d < dims; ++d) {
    facts.variance[d] += facts.activity[d];
    facts.active += facts.activity[d] > 0.01 ? 1 : 0;
  }
  facts.collapsed = std::ranges::all_of(facts.kl, [](double kl) { return kl < 0.01; });
  facts.mutual_information = mutual_information(subset(q, rng), q.count, rng);
  return facts;
}

}  // namespace logpx
