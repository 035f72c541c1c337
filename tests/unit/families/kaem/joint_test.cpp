// Encoder, generator and prior that are fitted together. The contract test holds what every family
// promises of such a fit.   [kaem/README 6.4]
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/families/kaem/family.hpp"
#include "libcore/families/kaem/model.hpp"
#include "libcore/families/registry.hpp"
#include "libcore/families/synthetic_rows.hpp"
#include "libcore/train/loop.hpp"
#include "libcore/train/ranks.hpp"
#include "tests/support/kaem_updates.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace logpx::joint_test {

using namespace logpx::kaem;

namespace {

Settings joint_settings(CouplingChoice coupling, PriorKind prior) {
  Settings settings = Settings::presets().make("tiny");
  settings.model.prior = prior;
  settings.model.coupling = coupling;
  settings.model.latent = {2, 3};
  settings.model.alpha =
      prior == PriorKind::mixture ? MixtureWeights::learned : MixtureWeights::fixed;
  settings.model.hidden = "4";
  settings.model.encoder_hidden = 5;
  settings.model.obs_std = "0.5";
  settings.fit.langevin.posterior = PosteriorKind::encoder;
  settings.fit.k = 4;
  return settings;
}

// Half along the gradient, half at random.
std::vector<double> way_of(std::span<const float> gradient) {
  DrawCursor draws(Rng(9).stream(Stream::test));
  std::vector<double> way;
  double length = 0, drawn = 0;
  for (const float g : gradient) length += static_cast<double>(g) * static_cast<double>(g);
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    way.push_back(draws.normal());
    drawn += way[i] * way[i];
  }
  for (std::size_t i = 0; i < way.size(); ++i)
    way[i] = static_cast<double>(gradient[i]) / std::sqrt(length) + way[i] / std::sqrt(drawn) / 2;
  return way;
}

}  // namespace

TEST_CASE("kaem joint: the bound has the gradient that its phases give, for every coupling") {
  const HeldRows rows = synthetic_rows({.name = "bars", .n = 4});
  for (const auto& [coupling, prior] :
       {std::pair{CouplingChoice::shared, PriorKind::univariate},
        std::pair{CouplingChoice::independent, PriorKind::univariate},
        std::pair{CouplingChoice::independent, PriorKind::mixture}}) {
    CAPTURE(static_cast<int>(coupling));
    CAPTURE(static_cast<int>(prior));
    Trainee trainee =
        make_trainee(joint_settings(coupling, prior), {.train = rows.examples()}, Rng(1));
    TrainingTask& task = *trainee.task;
    ParamSet& params = task.params();
    DrawCursor draws(Rng(8).stream(Stream::test));
    for (float& value : params.block()) value += static_cast<float>(0.2 * draws.normal());
    const std::vector<Phase*> phases = task.phases();
    std::vector<float> gradient(at(params.block_size()));
    run_phases(phases, params, {.copies = 3}, gradient);
    const std::vector<float> start(params.block().begin(), params.block().end());
    for (const ParamInfo& tensor : params.infos()) {
      CAPTURE(tensor.name);
      const auto first = at(tensor.offset), count = at(tensor.shape.elements());
      const std::span<const float> own = std::span(gradient).subspan(first, count);
      const std::vector<double> way = way_of(own);
      const auto loss_at = [&](double far) {
        for (std::size_t i = 0; i < count; ++i)
          params.block()[first + i] =
              static_cast<float>(static_cast<double>(start[first + i]) + far * way[i]);
        return run_phases(std::span(phases).first(2), params, {.copies = 3});
      };
      constexpr double h = 4e-3;
      const double slope = (loss_at(h) - loss_at(-h)) / (2 * h);
      std::ranges::copy(start, params.block().begin());
      double expected = 0;
      for (std::size_t i = 0; i < count; ++i) expected += static_cast<double>(own[i]) * way[i];
      CHECK(expected != 0);
      CHECK(std::abs(slope - expected) <= 0.02 * std::abs(expected) + 0.01);
    }
  }
}

TEST_CASE("kaem joint: a fit raises the bound above that of the start") {
  const HeldRows rows = synthetic_rows({.name = "bars", .n = 200});
  Settings settings = joint_settings(CouplingChoice::shared, PriorKind::univariate);
  settings.model.encoder_hidden = 40;
  settings.training.batch = 20;
  settings.training.lr = 1e-2;
  const auto bound_after = [&](std::int64_t steps) {
    settings.training.steps = steps;
    Trainee trainee = make_trainee(settings, {.train = rows.examples()}, Rng(1));
    Workers workers(1);
    const auto ranks = join_ranks();
    TrainingLoop(*trainee.task, trainee.options, {workers, *ranks}, {.seed = 1}).run();
    return trainee.task->evaluate(trainee.task->params().block(), workers, *ranks)[0].second;
  };
  CHECK(bound_after(200) > bound_after(1) + 0.5);
}

TEST_CASE(
    "kaem joint: a prior of draws can only learn along their path, and averages are refused") {
  const HeldRows rows = synthetic_rows({.name = "bars", .n = 4});
  const auto refused = [&](const std::function<void(Settings&)>& change) {
    Settings settings = joint_settings(CouplingChoice::independent, PriorKind::univariate);
    change(settings);
    try {
      static_cast<void>(make_trainee(settings, {.train = rows.examples()}, Rng(1)));
    } catch (const Error& error) {
      return error.subject();
    }
    return std::string();
  };
  CHECK(refused([](Settings& s) { s.fit.prior_grad = PriorSignal::quadrature; }) == "--prior-grad");
  CHECK(refused([](Settings& s) {
          s.training.ema = 0.9;
          s.fit.no_grid_update = true;
        }) == "--ema");
  CHECK(refused([](Settings&) {}) == "");
}

}  // namespace logpx::joint_test
