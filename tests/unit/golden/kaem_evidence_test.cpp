// log p(x) of small KAEMs, integrated over their normal scores, against the integrals over z of
// tests/golden/kaem.json.
#include "libcore/base/index.hpp"
#include "libcore/eval/evidence.hpp"
#include "libcore/families/kaem/training/task.hpp"
#include "libcore/families/registry.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_kaem.hpp"
#include "tests/support/kaem_updates.hpp"
#include "tests/support/sanitizers.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace logpx::kaem_evidence_test {

using namespace golden_kaem;

namespace {

void check_evidence(const Json& model, const kaem::Config& config, const char* stats) {
  const Json& rows = model.at("data");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Numbers x = numbers(rows.at(i).at("x"));
    const DatasetInfo data = real_vectors(x.size());
    const auto built = model_of(model, config, data);
    const std::vector<float> values(x.begin(), x.end());
    const auto bytes = std::as_bytes(std::span(values));
    Rows held;
    held.x.assign(bytes.begin(), bytes.end());
    held.count = 1;
    const Examples examples{data, held};
    // Densities that end at the domain's walls make steep functions of normal scores.
    const std::int64_t dims = abilities(*built).latents->dims();
    constexpr std::int64_t nodes[] = {512, 256, 64};
    const Scores scores =
        quadrature({*abilities(*built).latents, examples, Rng(1)}, {.nodes = nodes[dims - 1]});
    const double stated = scores.facts[0].second[0];
    CHECK(std::abs(scores.nats[0] - rows.at(i).at(stats).at("log_evidence").number()) <=
          2e-6 + stated);
    CHECK(stated < 0.1);
  }
}

}  // namespace

TEST_CASE("golden/kaem/evidence: normal scores of shared and of independent latents") {
  const Json* entry = golden::field("kaem", "evidence");
  if (!entry) return;
  const Json& model = entry->at("kart_nz1");
  using kaem::CouplingChoice;
  const auto config = [&](CouplingChoice coupling) {
    return config_of(model, kaem::PriorKind::univariate, coupling);
  };
  check_evidence(model, config(CouplingChoice::shared), "shared");
  check_evidence(model, config(CouplingChoice::independent), "independent");
}

TEST_CASE("golden/kaem/evidence: normal scores of a mixture") {
  const Json* entry = golden::field("kaem", "evidence");
  if (!entry) return;
  const Json& model = entry->at("mixture_q2p3");
  kaem::Config config =
      config_of(model, kaem::PriorKind::mixture, kaem::CouplingChoice::independent);
  config.alpha = kaem::MixtureWeights::learned;
  check_evidence(model, config, "stats");
}

namespace {

// Compares the mean over updates of each element of one tensor's gradient with what is wanted.
// Returns the sum of their variances.
struct Updates {
  std::int64_t count = 4000, copies = 1;
};
double check_mean_gradient(kaem::KaemTask& task, const Updates& updates, const std::string& tensor,
                           const Numbers& wanted) {
  const ParamInfo& info = task.params().infos()[at(task.params().find(tensor))];
  const auto n = static_cast<double>(updates.count);
  std::vector<double> sum(wanted.size()), squares(wanted.size());
  for (std::int64_t step = 0; step < updates.count; ++step) {
    const std::vector<float> gradient = gradient_of_update(task, {step, updates.copies});
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const auto g = static_cast<double>(gradient[at(info.offset) + i]);
      sum[i] += g;
      squares[i] += g * g;
    }
  }
  double total = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const double mean = sum[i] / n, variance = squares[i] / n - mean * mean;
    total += variance;
    const double slack = 5 * std::sqrt(variance / n) + 0.02 * std::abs(wanted[i]) + 1e-6;
    CAPTURE(tensor);
    CAPTURE(i);
    CHECK(std::abs(mean - wanted[i]) <= slack);
  }
  return total;
}

}  // namespace

TEST_CASE("golden/kaem/evidence: importance sampling has the gradient of log p(x) on average" *
          testing::of_numbers) {
  const Json* entry = golden::field("kaem", "evidence");
  if (!entry) return;
  const Json& model = entry->at("kart_nz1");
  const Json& row = model.at("data").at(0);
  const HeldRows held = one_row(real_vectors(numbers(row.at("x")).size()), numbers(row.at("x")));
  const kaem::Config config =
      config_of(model, kaem::PriorKind::univariate, kaem::CouplingChoice::independent);
  // Sums over prior and generator; drawing again adds noise to the same mean.
  const auto variances_with = [&](Resampler resampler) {
    const auto built = model_of(model, config, held.info);
    kaem::FitOptions options;
    options.samples = 200;
    options.train_noise = 0;
    options.no_grid_update = true;
    options.ess = 1;
    options.resampler = resampler;
    kaem::KaemTask task(*built, options, {.train = held.examples()});
    return std::array{
        check_mean_gradient(task, {}, "prior/coef", numbers(row.at("independent_grad_prior_coef"))),
        check_mean_gradient(task, {}, "generator/layer0/coef",
                            numbers(row.at("independent_grad_generator_coef")))};
  };
  const auto weighted = variances_with(Resampler::none);
  for (const Resampler resampler : {Resampler::residual, Resampler::multinomial}) {
    const auto drawn = variances_with(resampler);
    CHECK(weighted[0] <= drawn[0]);
    CHECK(weighted[1] <= drawn[1]);
  }
}

TEST_CASE("golden/kaem/evidence: chains have the gradient of log p(x) on average" *
          testing::of_numbers) {
  const Json* entry = golden::field("kaem", "evidence");
  if (!entry) return;
  const Json& model = entry->at("kart_nz1");
  const Json& row = model.at("data").at(0);
  const HeldRows held = one_row(real_vectors(numbers(row.at("x")).size()), numbers(row.at("x")));
  const kaem::Config config =
      config_of(model, kaem::PriorKind::univariate, kaem::CouplingChoice::independent);
  struct Way {
    kaem::PosteriorKind posterior;
    kaem::Support support;
    kaem::Objective objective;
  };
  using kaem::Objective, kaem::PosteriorKind, kaem::Support;
  for (const Way& way : {Way{PosteriorKind::mala, Support::reflect, Objective::mle},
                         Way{PosteriorKind::mala, Support::u_space, Objective::mle},
                         Way{PosteriorKind::automala, Support::reflect, Objective::mle},
                         Way{PosteriorKind::mala, Support::reflect, Objective::mle_pt}}) {
    CAPTURE(static_cast<int>(way.posterior));
    CAPTURE(static_cast<int>(way.support));
    CAPTURE(static_cast<int>(way.objective));
    const auto built = model_of(model, config, held.info);
    kaem::FitOptions options;
    options.train_noise = 0;
    options.no_grid_update = true;
    options.langevin.posterior = way.posterior;
    options.langevin.support = way.support;
    options.langevin.objective = way.objective;
    options.langevin.temps = 2;
    options.langevin.eta = way.posterior == PosteriorKind::automala ? 0.5 : 0.15;
    // A walk in uniforms has farther to go.
    options.langevin.steps = way.support == Support::u_space ? 90 : 30;
    kaem::KaemTask task(*built, options, {.train = held.examples()});
    const Updates updates{.count = 60, .copies = 100};
    check_mean_gradient(task, updates, "prior/coef",
                        numbers(row.at("independent_grad_prior_coef")));
    check_mean_gradient(task, updates, "generator/layer0/coef",
                        numbers(row.at("independent_grad_generator_coef")));
  }
}

}  // namespace logpx::kaem_evidence_test
