// Training over several ranks: what each of them sends in a step, counted, and what part of its
// time a model of the network leaves for work. Under mpirun the times of steps here, too:
//
//   mpirun -n 2 logpx-bench ranks
#include "libcore/base/index.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/families/kaem/family.hpp"
#include "libcore/families/vae/family.hpp"
#include "libcore/families/vdm/family.hpp"
#include "libcore/train/ranks.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/step_times.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <string>

namespace logpx::bench {
namespace {

// The first of so many ranks, alone: it counts what it would give, and takes zeros.
class CountedRanks final : public Ranks {
 public:
  explicit CountedRanks(int size) : size_(size) {}
  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] int size() const override { return size_; }
  void broadcast(std::span<std::byte>) override {}
  [[noreturn]] void end_all(int) override { std::abort(); }
  double bytes = 0, messages = 0;

 protected:
  void exchange(int, std::span<const std::byte> mine, std::span<std::byte> theirs) override {
    bytes += static_cast<double>(mine.size());
    messages += 1;
    std::ranges::fill(theirs, std::byte{0});
  }

 private:
  int size_;
};

HeldRows noise_rows(std::int64_t levels) {
  HeldRows held;
  held.info.name = "noise";
  held.info.content = Content::image;
  held.info.shape = {28, 28, 1};
  held.info.levels = levels;
  held.info.value_max = static_cast<double>(levels - 1);
  held.rows.count = 1000;
  held.rows.x.resize(at(held.rows.count * 28 * 28));
  const Substream noise = Rng(1).stream(Stream::test);
  for (std::size_t i = 0; i < held.rows.x.size(); ++i)
    held.rows.x[i] = static_cast<std::byte>(static_cast<double>(levels) * noise.uniform(i));
  return held;
}

struct Trained {
  const char* name;
  std::int64_t levels;
  Trainee (*make)(const TaskData& data);
  int rounds;
};

constexpr std::array trained = {
    Trained{"vae 784-500-20", 2,
            [](const TaskData& data) { return vae::make_trainee(vae::Settings(), data, Rng(1)); },
            100},
    Trained{"kaem paper", 256,
            [](const TaskData& data) {
              kaem::Settings settings = kaem::Settings::presets().make("paper");
              settings.fit.no_grid_update = true;
              return kaem::make_trainee(settings, data, Rng(1), {});
            },
            20},
    Trained{"vdm small28", 256,
            [](const TaskData& data) {
              return vdm::make_trainee(vdm::Settings::presets().make("small28"), data, Rng(1), {});
            },
            10}};

TrainOptions over(int ranks, TrainOptions options) {
  options.shards = std::max(options.shards, std::int64_t{ranks});
  return options;
}

struct Sent {
  double bytes = 0, messages = 0;
};
Sent sent_in_a_step(const Trained& what, const HeldRows& rows, int count) {
  const Trainee trainee = what.make({.train = rows.examples(), .valid = std::nullopt});
  Workers workers(1);
  CountedRanks ranks(count);
  TrainOptions options = over(count, trainee.options);
  options.steps = 1'000'000;
  TrainingLoop loop(*trainee.task, options, {workers, ranks}, {});
  static_cast<void>(loop.time_steps(1));
  const Sent before{ranks.bytes, ranks.messages};
  static_cast<void>(loop.time_steps(1));
  return {ranks.bytes - before.bytes, ranks.messages - before.messages};
}

struct Network {
  const char* name;
  double bytes_per_second, seconds_per_message;
};
constexpr std::array networks = {Network{"10 Gbit/s, 30 us", 1.25e9, 30e-6},
                                 Network{"100 Gbit/s, 2 us", 12.5e9, 2e-6}};

void add(Bench& bench, const std::string& name, double value, const std::string& unit) {
  bench.add({.name = name, .value = value, .unit = unit});
}

// Every rank has a whole batch of the preset, so that R ranks make batches R times as large.
void model(Bench& bench, const Trained& what) {
  const HeldRows rows = noise_rows(what.levels);
  const Trainee trainee = what.make({.train = rows.examples(), .valid = std::nullopt});
  const double step = step_times(*trainee.task, trainee.options, 1, what.rounds).median;
  add(bench, std::string(what.name) + ", a step of one rank", 1e3 * step, "ms");
  for (const int count : {2, 4, 64, 1024}) {
    const Sent sent = sent_in_a_step(what, rows, count);
    const std::string name = std::string(what.name) + ", " + std::to_string(count) + " ranks, ";
    add(bench, name + "sent a step", 1e-6 * sent.bytes, "MB");
    add(bench, name + "messages", sent.messages, "");
    for (const Network& network : networks) {
      const double waits =
          sent.bytes / network.bytes_per_second + sent.messages * network.seconds_per_message;
      add(bench, name + network.name, 100 * step / (step + waits), "% at work");
    }
  }
}

}  // namespace

void bench_ranks(Bench& bench) {
  const auto ranks = join_ranks();
  if (ranks->size() == 1) {
    for (const Trained& what : trained) model(bench, what);
    return;
  }
  for (const Trained& what : trained) {
    const HeldRows rows = noise_rows(what.levels);
    const Trainee trainee = what.make({.train = rows.examples(), .valid = std::nullopt});
    const StepTimes times =
        step_times(*trainee.task, over(ranks->size(), trainee.options), *ranks, what.rounds);
    add(bench,
        std::string(what.name) + ", one batch over " + std::to_string(ranks->size()) +
            " ranks here",
        1e3 * times.median, "ms");
  }
}

}  // namespace logpx::bench
