// One training step of the VAE that the peers' scripts train too: 784-500-20, Bernoulli, batch 100,
// Adam; rows, noise, both passes and the update.
#include "libcore/families/vae/task.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/step_times.hpp"

#include <string>
#include <vector>

namespace logpx::bench {
namespace {

constexpr std::int64_t inputs = 784, hidden = 500, latent = 20, batch = 100, rows = 10'000;

DatasetInfo bits() {
  DatasetInfo info;
  info.name = "bits";
  info.content = Content::vector;
  info.shape = {inputs};
  info.levels = 2;
  info.value_max = 1;
  return info;
}

struct Way {
  std::string name;
  int threads = 1;
  NumericsChoice numerics = NumericsChoice::fast;
  std::int64_t shards = 0;  // 0: as a batch of 100 is cut, in two
};

StepTimes times_of(const Way& way) {
  vae::Config config;
  vae::VaeModel model(config, bits());
  model.initialise(Rng(1));
  Rows data;
  data.count = rows;
  data.x.resize(static_cast<std::size_t>(rows * inputs));
  const Substream noise = Rng(1).stream(Stream::test);
  for (std::size_t i = 0; i < data.x.size(); ++i)
    data.x[i] = std::byte{noise.uniform(i) < 0.2 ? std::uint8_t{1} : std::uint8_t{0}};
  const DatasetInfo info = bits();
  vae::VaeTask task(model, {}, {.train = Examples{info, data, 0}, .valid = std::nullopt}, Rng(1));
  TrainOptions options;
  options.batch = batch;
  options.numerics_choice = way.numerics;
  options.shards = way.shards;
  return step_times(task, options, way.threads, 300);
}

void add(Bench& bench, const std::string& name, double seconds, int threads, bool floor) {
  // The floor: half of the sgemm rate, times 0.8 for each thread.
  const double flops = 6.0 * batch * (2 * inputs * hidden + 3 * hidden * latent);
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
                                 {"2 threads, det", 2, NumericsChoice::det}};
  for (const Way& way : ways) {
    const StepTimes times = times_of(way);
    const std::string name = "vae 784-500-20, 100 rows, " + way.name;
    const bool floor = way.numerics == NumericsChoice::fast;
    add(bench, name + ", fastest", times.least, way.threads, floor);
    add(bench, name + ", median", times.median, way.threads, false);
  }
}

}  // namespace logpx::bench
