// What is known of a KAEM before its first step, and before it is read.
#include "libcore/families/kaem/family.hpp"
#include "libcore/families/kaem/model.hpp"
#include "libcore/families/synthetic_rows.hpp"
#include "libcore/train/memory_plan.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace logpx::plans_test {

using namespace logpx::kaem;

namespace {

HeldRows bars(std::int64_t rows) { return synthetic_rows({.name = "bars", .n = rows}); }

// Options for chains at so many temperatures.
Settings tempered(std::int64_t temps) {
  Settings settings = Settings::presets().make("tiny");
  settings.fit.langevin.posterior = PosteriorKind::ula;
  settings.fit.langevin.objective = Objective::se;
  settings.fit.langevin.temps = temps;
  return settings;
}

Trainee trainee_of(const Settings& settings, const HeldRows& rows) {
  return make_trainee(settings, {.train = rows.examples()}, Rng(1));
}

std::int64_t planned(const Trainee& trainee, const std::string& part) {
  for (const ModuleMemory& one : plan_memory(*trainee.task, trainee.options, {.threads = 1}).parts)
    if (one.module == part) return one.bytes;
  return 0;
}

}  // namespace

TEST_CASE(
    "kaem memory: chains at more temperatures plan for the draws of the prior that they start at") {
  const HeldRows rows = bars(64);
  const Trainee few = trainee_of(tempered(2), rows), many = trainee_of(tempered(12), rows);
  const auto& model = dynamic_cast<const KaemModel&>(*few.model);
  const std::int64_t place =
      model.prior_form().z_dims() * static_cast<std::int64_t>(sizeof(double));
  const std::int64_t least = 10 * few.options.batch * place;
  CHECK(planned(many, "data") - planned(few, "data") >= least);
}

TEST_CASE("kaem memory: --pca plans for all rows as doubles, twice, although they are given back") {
  const HeldRows rows = bars(2000);
  Settings settings = Settings::presets().make("tiny");
  settings.model.mean_activation = Squash::none;
  settings.model.pca = 3;
  const Trainee trainee = trainee_of(settings, rows);
  const std::int64_t doubles =
      2 * rows.info.n * rows.info.dims() * static_cast<std::int64_t>(sizeof(double));
  const std::int64_t total = plan_memory(*trainee.task, trainee.options, {.threads = 1}).total();
  CHECK(total >= doubles);
  CHECK(total == planned(trainee, "parameters") + planned(trainee, "data") +
                     trainee.task->preparation_bytes());
  CHECK(trainee.task->preparation_bytes() >= doubles);
}

TEST_CASE("kaem: a run that goes on keeps its length where temperatures take a course") {
  const HeldRows rows = bars(64);
  const auto keeps = [&rows](const Settings& settings) {
    return trainee_of(settings, rows).task->follows_length();
  };
  CHECK(keeps(tempered(2)));
  CHECK_FALSE(keeps(tempered(1)));  // t = 1, whatever p is
  CHECK_FALSE(keeps(Settings::presets().make("tiny")));
  Settings steady = tempered(2);
  steady.fit.langevin.power.end = steady.fit.langevin.power.start;
  CHECK_FALSE(keeps(steady));
}

TEST_CASE(
    "kaem: a model that is about to be read measures no normalisers, and one with values does") {
  const HeldRows rows = bars(4);
  KaemModel model(Settings::presets().make("tiny").model, rows.info);
  const auto stored = [&model] {
    std::vector<double> values;
    model.params([&](const TensorRef& tensor, TensorRole) {
      if (tensor.name != "prior/log_Z") return;
      values.resize(tensor.bytes.size() / sizeof(double));
      std::ranges::copy(tensor.bytes, std::as_writable_bytes(std::span(values)).begin());
    });
    return values;
  };
  const auto is_zero = [](double log_z) { return log_z == 0; };
  const std::vector<double> before = stored();
  CHECK(before.size() == 10);
  CHECK(std::ranges::all_of(before, is_zero));
  model.initialise(Rng(1));
  CHECK(std::ranges::none_of(stored(), is_zero));
}

}  // namespace logpx::plans_test
