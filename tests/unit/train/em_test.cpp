// Expectation maximisation in the loop of all families: a phase whose gradient block holds counts.
#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "tests/support/categorical_mixture.hpp"
#include "tests/support/training.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <set>
#include <string>
#include <vector>

namespace logpx::em_test {
namespace {

struct Fit {
  TrainOptions options;
  CountingOptions counting = {};
  int threads = 1;
  std::set<std::int64_t> stops = {};
};

struct Fitted {
  std::string bytes;  // all that a checkpoint holds
  MemorySink sink;
  MemoryPlan plan;
};

Fit usual() {
  Fit fit;
  fit.options.reads = CountingTask::what_it_reads();
  fit.options.epochs = 8;
  fit.options.batch = 203;
  fit.options.shards = 8;
  return fit;
}

std::unique_ptr<Fitted> fitted(const Fit& fit) {
  auto outcome = std::make_unique<Fitted>();
  for (bool resuming = false;; resuming = true) {
    const CategoricalConfig config;
    CategoricalMixture model(config);
    model.initialise(Rng(4));
    CountingTask task(model, three_kinds(203, config, Rng(3)), fit.counting);
    Workers workers(fit.threads);
    const auto ranks = join_ranks();
    TrainingLoop loop(task, fit.options, {workers, *ranks},
                      {.sink = &outcome->sink, .stop_asked = [&](std::int64_t step) {
                         return fit.stops.contains(step) ? SIGINT : 0;
                       }});
    outcome->plan = loop.memory_plan();
    if (resuming) loop.restore(outcome->sink.saved());
    try {
      (void)loop.run();
      outcome->bytes = bytes_of(outcome->sink.saved());
      return outcome;
    } catch (const Interrupted&) {
      continue;
    }
  }
}

std::int64_t bytes_of_part(const MemoryPlan& plan, const std::string& name) {
  for (const ModuleMemory& part : plan.parts)
    if (part.module == name) return part.bytes;
  return -1;
}

}  // namespace

TEST_CASE("em: every update over all rows raises the likelihood, and it learns") {
  const auto outcome = fitted(usual());
  const std::vector<HistoryLine>& lines = outcome->sink.lines();
  REQUIRE(lines.size() == 8);
  double before = -1e9;
  for (const HistoryLine& line : lines) {
    REQUIRE(line.values.back().first == "log_p");
    CHECK(line.values.back().second > before - 1e-6);
    before = line.values.back().second;
  }
  CHECK(before > lines.front().values.back().second + 0.2);
}

TEST_CASE("em: no slots in the checkpoint, no optimiser in the plan, no rate in the history") {
  const auto outcome = fitted(usual());
  CHECK(outcome->sink.saved().slots.empty());
  CHECK(outcome->sink.saved().raw.size() == 2);
  CHECK(bytes_of_part(outcome->plan, "optimiser") == 0);
  CHECK(bytes_of_part(outcome->plan, "parameters") > 0);
  for (const HistoryLine& line : outcome->sink.lines())
    for (const auto& [name, value] : line.values) {
      CHECK(name != "lr");
      CHECK(name != "grad_norm");
    }
}

TEST_CASE("em: the same bytes for any threads and counts in flight, and when it is stopped") {
  Fit fit = usual();
  fit.options.batch = 100;  // with a short last one
  fit.counting.pseudocount = 0.1;
  const std::string whole = fitted(fit)->bytes;
  fit.threads = 3;
  CHECK(fitted(fit)->bytes == whole);
  for (const std::int64_t in_flight : {1, 2, 3, 4, 8, 20}) {
    CAPTURE(in_flight);
    fit.counting.gradients_in_flight = in_flight;
    CHECK(fitted(fit)->bytes == whole);
  }
  fit.counting.gradients_in_flight = 2;
  fit.stops = {1, 4, 10};
  CHECK(fitted(fit)->bytes == whole);
  fit.counting.pseudocount = 0.11;
  CHECK(fitted(fit)->bytes != whole);  // a change does show
}

TEST_CASE("em: fewer counts in flight take less memory") {
  Fit fit = usual();
  fit.options.steps = 1;
  const auto blocks = [&](std::int64_t in_flight) {
    fit.counting.gradients_in_flight = in_flight;
    const MemoryPlan plan = fitted(fit)->plan;
    return bytes_of_part(plan, "gradients") / bytes_of_part(plan, "parameters");
  };
  CHECK(blocks(0) == 8);
  CHECK(blocks(8) == 8);
  CHECK(blocks(4) == 5);  // four, and one for the level above
  CHECK(blocks(2) == 4);
  CHECK(blocks(1) == 4);
}

TEST_CASE("em: options that no way of training reads are not offered") {
  TrainOptions options;
  options.reads = CountingTask::what_it_reads();
  Fields fields;
  options.describe(fields);
  for (const char* option :
       {"--lr", "--lr-schedule", "--optimizer", "--clip-norm", "--ema", "--conv", "--recompute"}) {
    CAPTURE(option);
    CHECK(fields.find_option(option) == nullptr);
  }
  for (const char* option : {"--epochs", "--batch", "--keep-best", "--shards", "--numerics"})
    CHECK(fields.find_option(option) != nullptr);
}

TEST_CASE("em: an option that the chosen way of training does not read is a usage error") {
  TrainOptions options;  // of a tool that can also train by gradients
  Fields fields;
  options.describe(fields);
  const TrainReads em = CountingTask::what_it_reads();
  CHECK_NOTHROW(options.refuse_unread(fields, em));
  fields.find_key("ema")->read("0.9", "settings.json", Origin::config);
  CHECK_NOTHROW(options.refuse_unread(fields, em));
  fields.find_key("batch")->read("7", "--batch", Origin::option);
  CHECK_NOTHROW(options.refuse_unread(fields, em));
  fields.find_key("clip_norm")->read("1", "--clip-norm", Origin::option);
  CHECK_NOTHROW(options.refuse_unread(fields, {}));
  CHECK_THROWS_WITH_AS(options.refuse_unread(fields, em),
                       "--clip-norm: does nothing with expectation maximisation", Error);
}

}  // namespace logpx::em_test
