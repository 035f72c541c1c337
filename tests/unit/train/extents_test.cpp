// Rows of different length: shards hold rows of about one length, noise belongs to the place of a
// row, and neither shows in a byte that threads, order or interruptions could change.
#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_reduce.hpp"
#include "libcore/train/graph_phase.hpp"
#include "tests/support/training.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <mutex>
#include <numeric>

namespace logpx::extents_test {
namespace {

constexpr std::int64_t rows_of_data = 50, longest = 40;

enum class Extents { told, hidden };  // hidden: every graph is as wide as the longest row

// loss of a row = mean over its length of (w x + noise)^2
class LengthTask final : public TrainingTask {
 public:
  explicit LengthTask(Extents extents) : extents_(extents) {
    w_ = params_.add("w", {1});
    params_.view(w_)[0] = 0.5f;
    GraphPhaseParts parts;
    parts.build = [this](std::int64_t rows, std::int64_t extent) {
      const std::int64_t width = extent == 0 ? longest : extent;
      auto graph = std::make_unique<Graph>();
      const Var x = graph->input("x", {rows, width}), eps = graph->input("noise", {rows, width});
      const Var weight = graph->input("weight", {rows, width});
      graph->output("loss", sum(weight * square(x * graph->parameter(params_, w_) + eps), 1));
      return graph;
    };
    parts.bind = [this](const Shard& shard, GraphInputs& inputs) { bind(shard, inputs); };
    phase_ = std::make_unique<GraphPhase>(PhaseSettings{}, parts);
  }
  [[nodiscard]] ParamSet& params() override { return params_; }
  [[nodiscard]] std::int64_t rows() const override { return rows_of_data; }
  [[nodiscard]] std::vector<Phase*> phases() override { return {phase_.get()}; }
  [[nodiscard]] std::int64_t extent(std::int64_t row) const override {
    return extents_ == Extents::told ? length(row) : 0;
  }
  static std::int64_t length(std::int64_t row) { return 3 + row * 7 % (longest - 2); }

  using Noise = std::map<std::pair<std::int64_t, std::int64_t>, float>;  // by step and row
  Noise noise;
  std::vector<std::int64_t> extents_seen;  // of shards, in steps of one thread

 private:
  void bind(const Shard& shard, GraphInputs& inputs) {
    const std::int64_t width = shard.extent == 0 ? longest : shard.extent;
    const Substream draws =
        Rng(shard.place.seed).stream(Stream::noise, static_cast<std::uint32_t>(shard.place.step));
    const std::span<float> x = inputs.values("x"), noises = inputs.values("noise"),
                           weights = inputs.values("weight");
    for (std::int64_t i = 0; i < shard.count; ++i) {
      const std::int64_t row = shard.rows[at(i)], n = length(row);
      REQUIRE(n <= width);
      fill_normals(draws, static_cast<std::uint64_t>(shard.places[at(i)] * longest),
                   noises.subspan(at(i * width), at(width)));
      for (std::int64_t k = 0; k < width; ++k) {
        x[at(i * width + k)] = static_cast<float>((row + k) % 9) / 9;
        weights[at(i * width + k)] = k < n ? 1 / static_cast<float>(n) : 0;
      }
      const std::lock_guard lock(mutex_);
      noise[{shard.place.step, row}] = noises[at(i * width)];
    }
    const std::lock_guard lock(mutex_);
    extents_seen.push_back(shard.extent);
  }

  Extents extents_;
  ParamSet params_;
  int w_;
  std::unique_ptr<Phase> phase_;
  std::mutex mutex_;
};

struct Run {
  std::string bytes;
  float weight = 0;
  LengthTask::Noise noise;
  std::vector<std::int64_t> extents;
};

struct RunSettings {
  Extents extents = Extents::told;
  int threads = 1;
  std::int64_t shards = 4, accumulate = 1, memory = 0;
  std::set<std::int64_t> stops = {};
};

Run run(const RunSettings& settings) {
  TrainOptions options;
  options.batch = 20 / settings.accumulate;
  options.accumulate = settings.accumulate;
  options.shards = settings.shards;
  options.epochs = 2;
  options.lr = 0.01;
  Run outcome;
  MemorySink sink;
  for (bool resuming = false;; resuming = true) {
    LengthTask task(settings.extents);
    Workers workers(settings.threads);
    const auto ranks = join_ranks();
    TrainingLoop loop(task, options, {workers, *ranks},
                      {.memory = settings.memory, .sink = &sink, .stop_asked = [&](std::int64_t s) {
                         return settings.stops.contains(s) ? SIGINT : 0;
                       }});
    if (resuming) loop.restore(sink.saved());
    try {
      (void)loop.run();
    } catch (const Interrupted&) {
      outcome.noise.insert(task.noise.begin(), task.noise.end());
      continue;
    }
    outcome.noise.insert(task.noise.begin(), task.noise.end());
    outcome.weight = task.params().view(0)[0];
    outcome.extents = task.extents_seen;
    outcome.bytes = bytes_of(sink.saved());
    return outcome;
  }
}

}  // namespace

TEST_CASE("extents: the same bytes for any threads and memory, and when a run is stopped") {
  const Run whole = run({});
  for (const int threads : {2, 4}) CHECK(run({.threads = threads}).bytes == whole.bytes);
  for (const std::int64_t stop : {1, 2, 3, 5}) CHECK(run({.stops = {stop}}).bytes == whole.bytes);
  CHECK(run({.threads = 3, .stops = {2, 4}}).bytes == whole.bytes);
  LengthTask task(Extents::told);
  TrainOptions options;
  options.batch = 20;
  options.shards = 4;
  const std::int64_t least = plan_memory(task, options, {.threads = 1}).total();
  CHECK(run({.memory = least}).bytes == whole.bytes);
}

TEST_CASE("extents: the noise of a row depends neither on the order nor on the shards") {
  const LengthTask::Noise noise = run({}).noise;
  CHECK(noise.size() == 2 * rows_of_data);
  CHECK(run({.extents = Extents::hidden}).noise == noise);
  CHECK(run({.shards = 8}).noise == noise);
  CHECK(run({.shards = 1}).noise == noise);
  CHECK(run({.accumulate = 2}).noise == noise);
}

TEST_CASE("extents: shards hold rows of about one length, and the result is that of the whole") {
  const Run told = run({}), hidden = run({.extents = Extents::hidden});
  CHECK(told.weight == doctest::Approx(hidden.weight).epsilon(1e-5));
  CHECK(told.weight != 0.5f);
  std::int64_t sum = 0;
  for (std::size_t shard = 0; shard + 4 <= told.extents.size(); shard += 4) {
    CHECK(std::is_sorted(told.extents.begin() + static_cast<std::ptrdiff_t>(shard),
                         told.extents.begin() + static_cast<std::ptrdiff_t>(shard) + 4));
    for (std::size_t s = 0; s < 4; ++s) sum += told.extents[shard + s];
  }
  CHECK(sum < 7 * longest * std::ssize(told.extents) / 10);
  for (const std::int64_t extent : hidden.extents) CHECK(extent == 0);
}

TEST_CASE(
    "extents: the memory plan takes the longest row for every shard, and the run stays in it") {
  LengthTask task(Extents::told);
  TrainOptions options;
  options.batch = 20;
  options.shards = 4;
  const MemoryPlan plan = plan_memory(task, options, {.threads = 2});
  const Phase& phase = *task.phases()[0];
  std::int64_t largest = 0;
  for (std::int64_t row = 0; row < rows_of_data; ++row)
    largest = std::max(largest, LengthTask::length(row));
  // Batches of 20 and 10 rows in 4 shards: of 5, and of 2 or 3.
  std::int64_t bytes = 0;
  for (const std::int64_t rows : {5, 2, 3}) bytes += 2 * phase.arena_bytes({rows, largest});
  for (const ModuleMemory& part : plan.parts)
    if (part.module == "activations") CHECK(part.bytes == bytes);
}

}  // namespace logpx::extents_test
