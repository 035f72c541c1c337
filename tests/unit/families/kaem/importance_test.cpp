// log p(x) by draws of the prior that a block of rows shares.   [kaem/README 6.3]
#include "libcore/eval/likelihood.hpp"
#include "libcore/families/kaem/importance_scoring.hpp"
#include "libcore/families/registry.hpp"
#include "tests/support/kaem_models.hpp"
#include "tests/support/plans.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace logpx::importance_test {

TEST_CASE("kaem: rows that share their draws share their noise, which their mean keeps") {
  const auto model = kaem::drawn_model(kaem::small_config());
  const HeldRows data = synthetic_rows({.name = "bars", .n = 64});
  constexpr int seeds = 40;
  std::vector<double> means;
  double stated = 0, independent = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    const Scores scores =
        testing::score_with(abilities(*model), data.examples(),
                            Rng(static_cast<std::uint64_t>(seed)), {"samples=1000"});
    Scored scored{.kind = scores.kind,
                  .nats = scores.nats,
                  .mc_std_error = scores.mc_std_error,
                  .facts = scores.facts};
    means.push_back(summarise(scored).log_likelihood.value);
    stated += std::pow(*summarise(scored).mc_std_error, 2) / seeds;
    scored.facts.clear();
    independent += std::pow(*summarise(scored).mc_std_error, 2) / seeds;
  }
  const double seen = *mean_of(means, Bound::estimate).std_error * std::sqrt(seeds);
  CHECK(std::sqrt(stated) > 0.7 * seen);
  CHECK(std::sqrt(stated) < 1.5 * seen);
  CHECK(std::sqrt(independent) < 0.6 * seen);
}

}  // namespace logpx::importance_test
