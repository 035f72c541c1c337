// One training step of the VAEs that the peers' scripts train too: 784-500-20, bits or grey levels,
// batch 100, Adam; rows, noise, both passes and the update.
#include "libcore/families/vae/task.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/step_times.hpp"

#include <string>
#include <vector>

namespace logpx::bench {
namespace {

constexpr std::int64_t inputs = 784, hidden = 500, latent = 20, batch = 100, rows = 10'000;

DatasetInfo info_of(std::int64_t levels) {
  DatasetInfo info;
  info.name = "levels";
  info.content = Content::vector;
  info.shape = {inputs};
  info.levels = levels;
  info.value_max = static_cast<double>(levels - 1);
  return info;
}

// A fifth of the values is not 0.
Rows rows_of(std::int64_t levels) {
  Rows data;
  data.count = rows;
  data.x.resize(static_cast<std::size_t>(rows * inputs));
  const Substream noise = Rng(1).stream(Stream::test);
  for (std::size_t i = 0; i < data.x.size(); ++i) {
    const double u = 5 * noise.uniform(i);
    data.x[i] = std::byte{static_cast<std::uint8_t>(
        u < 1 ? 1 + static_cast<int>(u * static_cast<double>(levels - 1)) : 0)};
  }
  return data;
}

struct Way {
  std::string name;
  int threads = 1;
  NumericsChoice numerics = NumericsChoice::fast;
  std::int64_t shards = 0;  // 0: as a batch of 100 is cut, in two
  std::int64_t levels = 2;
};

StepTimes times_of(const Way& way) {
  vae::Config config;
  if (way.levels > 2) config.likelihood = "beta-binomial";
  const DatasetInfo info = info_of(way.levels);
  vae::VaeModel model(config, info);
  model.initialise(Rng(1));
  const Rows data = rows_of(way.levels);
  vae::VaeTask task(model, {}, {.train = Examples{info, data, 0}, .valid = std::nullopt}, Rng(1));
  TrainOptions options;
  options.batch = batch;
  options.numerics_choice = way.numerics;
  options.shards = way.shards;
  return step_times(task, options, way.threads, 300);
}

void add(Bench& bench, const std::string& name, double seconds, const Way& way, bool floor) {
  // The floor: half of the sgemm rate, times 0.8 for each thread.
  const int threads = way.threads, heads = way.levels > 2 ? 2 : 1;
  const double products = static_cast<double>((1 + heads) * inputs * hidden + 3 * hidden * latent);
  const double flops = 6.0 * batch * products;
  const double rate = bench.peak() * (threads == 1 ? 1 : 0.8 * threads);
  Row row{.name = name, .value = 1e3 * seconds, .unit = "ms", .share = flops / seconds / rate};
  if (floor) row.floor = 0.5;
  row.of = threads == 1 ? "sgemm 1024" : "0.8 x threads x sgemm 1024";
  bench.add(row);
}

}  // namespace

void bench_vae(Bench& bench) {
  const std::vector<Way> ways = {{"1 thread", 1},
                                 {"1 thread, 1 shard", 1, NumericsChoice::fast, 1},
                                 {"1 thread, det", 1, NumericsChoice::det},
                                 {"2 threads", 2},
                                 {"2 threads, det", 2, NumericsChoice::det},
                                 {.name = "grey levels, 1 thread", .levels = 256},
                                 {.name = "grey levels, 2 threads", .threads = 2, .levels = 256}};
  for (const Way& way : ways) {
    const StepTimes times = times_of(way);
    const std::string name = "vae 784-500-20, 100 rows, " + way.name;
    const bool floor = way.numerics == NumericsChoice::fast && way.levels == 2;
    add(bench, name + ", fastest", times.least, way, floor);
    add(bench, name + ", median", times.median, way, false);
  }
}

}  // namespace logpx::bench
