#include "libcore/families/bound_means.hpp"

#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>
#include <numbers>

namespace logpx {
namespace {

constexpr double least_variance = 0.01;  // of an active unit's posterior mean

}  // namespace

BoundMeans mean_bound(const EncodedModel& model, ExecutorPool& passes,
                      std::span<const float> weights, const TaskRows& examples,
                      const EvaluationMachine& machine) {
  const std::int64_t rows = std::min(curve_rows, examples.count), latent = model.latent();
  const std::unique_ptr<const GaussianMixture> prior = model.prior(weights);
  const auto of_block = [&](RowBlock block, std::span<double> own) {
    single_threaded_kernels();
    const auto [first, count] = block;
    const Rows held = examples.read(first, first + count);
    BoundPass pass(model, passes, {count, 1});
    model.reader().take({examples.info, held, examples.first + first},
                        evaluation_noise(model.reader().rules()), pass.x());
    pass.run(weights, Rng(1), {.row = examples.first + first});
    const std::vector<double> drawn =
        prior != nullptr ? pass.drawn_kl(*prior) : std::vector<double>();
    const std::span<const float> log_vars = pass.log_var();  // one row where all share it
    const std::int64_t size = std::ssize(log_vars);
    for (std::int64_t i = 0; i < count; ++i) {
      own[0] += pass.recon(0, i);
      own[1] += prior != nullptr ? drawn[at(i)] : pass.kl(i);
      for (std::int64_t j = 0; j < latent; ++j) {
        const auto mean = static_cast<double>(pass.mean()[at(i * latent + j)]);
        own[at(2 + j)] += mean;
        own[at(2 + latent + j)] += mean * mean;
        own[at(2 + 2 * latent + j)] += static_cast<double>(log_vars[at((i * latent + j) % size)]);
      }
    }
  };
  // recon, kl, sums of means, of their squares, and of log-variances
  const std::vector<double> sums =
      sum_over_rows(machine, {.rows = rows, .columns = 2 + 3 * latent}, of_block);
  const auto n = static_cast<double>(rows);
  BoundMeans means{.recon = sums[0] / n, .kl = sums[1] / n};
  means.elbo = means.recon - means.kl;
  for (std::int64_t j = 0; j < latent; ++j) {
    const double mean = sums[at(2 + j)] / n;
    if (sums[at(2 + latent + j)] / n - mean * mean > least_variance) ++means.active_units;
    means.log_var.push_back(sums[at(2 + 2 * latent + j)] / n);
  }
  return means;
}

Metrics bound_metrics(const BoundMeans& train, const std::optional<BoundMeans>& valid) {
  const BoundMeans& judged = valid ? *valid : train;
  Metrics metrics;
  if (valid) metrics.emplace_back("elbo_valid", judged.elbo);
  metrics.emplace_back("elbo_train", train.elbo);
  metrics.emplace_back("recon", judged.recon);
  metrics.emplace_back("kl", judged.kl);
  metrics.emplace_back("active_units", static_cast<double>(judged.active_units));
  return metrics;
}

std::vector<std::string> latents_at_limits(const BoundMeans& means) {
  std::vector<std::string> found;
  for (std::size_t j = 0; j < means.log_var.size(); ++j) {
    const bool low = means.log_var[j] <= least_log_var + std::numbers::ln2,
               high = means.log_var[j] >= largest_log_var - std::numbers::ln2;
    if (!low && !high) continue;
    found.push_back("the mean log-variance of latent " + std::to_string(j) + " ended at " +
                    four_digits(means.log_var[j]) + ", its " + (low ? "least" : "largest") +
                    " value: another --seed or a smaller --lr may use this latent better");
  }
  return found;
}

}  // namespace logpx
