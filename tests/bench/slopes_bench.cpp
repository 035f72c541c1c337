// How time grows with what it is spent on: the slope of log(time) over log(size), by least squares
// over sizes that double. Each has a slope that it may have, so that what ought to grow with a size
// does not grow with its square.
#include "libcore/base/index.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/codec/adaptive/adaptive.hpp"
#include "libcore/families/kaem/family.hpp"
#include "libcore/families/pc/passes/pass.hpp"
#include "libcore/families/pc/structures/regions.hpp"
#include "libcore/families/vae/task.hpp"
#include "libcore/families/vdm/family.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/step_times.hpp"

#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace logpx::bench {
namespace {

struct Series {
  std::string name;  // "vae step over rows"
  std::vector<std::int64_t> sizes;
  double steepest;  // slope
  std::function<double(std::int64_t)> seconds;
};

double slope_of(const std::vector<std::int64_t>& sizes, const std::vector<double>& seconds) {
  const auto n = static_cast<double>(sizes.size());
  double x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double size = std::log(static_cast<double>(sizes[i])), time = std::log(seconds[i]);
    x += size;
    y += time;
    xx += size * size;
    xy += size * time;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

void add(Bench& bench, const Series& series) {
  std::vector<double> seconds;
  for (const std::int64_t size : series.sizes) seconds.push_back(series.seconds(size));
  const double slope = slope_of(series.sizes, seconds);
  bench.add({.name = series.name + ", " + std::to_string(series.sizes.front()) + " to " +
                     std::to_string(series.sizes.back()),
             .value = slope,
             .unit = "slope",
             .share = series.steepest / slope,
             .floor = 1,
             .of = "what it may be (less is better)"});
}

struct VaeSizes {
  std::int64_t rows = 100, hidden = 500, latents = 20, side = 28;
};
double vae_seconds(const VaeSizes& sizes) {
  const HeldRows held = noise_pictures(sizes.side, 2, 800);
  vae::Config config;
  config.hidden = {sizes.hidden};
  config.latent = sizes.latents;
  vae::VaeModel model(config, held.info);
  model.initialise(Rng(1));
  vae::VaeTask task(model, {}, {.train = held.examples(), .valid = std::nullopt}, Rng(1));
  TrainOptions options;
  options.batch = sizes.rows;
  return step_times(task, options, 1, 60).least;
}

double kaem_seconds(std::int64_t latents) {
  static const HeldRows held = noise_pictures(28, 256, 800);
  kaem::Settings settings = kaem::Settings::presets().make("paper");
  settings.model.latent = {latents, 2 * latents + 1};
  settings.model.hidden = "82";
  settings.fit.no_grid_update = true;
  const Trainee trainee =
      kaem::make_trainee(settings, {.train = held.examples(), .valid = std::nullopt}, Rng(1));
  TrainOptions options;
  options.batch = 100;
  return step_times(*trainee.task, options, 1, 20).least;
}

double vdm_seconds(std::int64_t side) {
  const HeldRows held = noise_pictures(side, 256, 800);
  const Trainee trainee =
      vdm::make_trainee(vdm::Settings::presets().make("small8"),
                        {.train = held.examples(), .valid = std::nullopt}, Rng(1));
  TrainOptions options = trainee.options;
  options.batch = 16;
  return step_times(*trainee.task, options, 1, 10).least;
}

// Log-likelihood and expected counts of 64 windows of so many symbols.
double chain_seconds(std::int64_t states, std::int64_t symbols) {
  constexpr std::int64_t windows = 64, letters = 27;
  const pc::Circuit circuit =
      pc::hidden_markov({"x", letters}, Monarch::dense(states, states).factors());
  ParamSet params;
  const pc::PassPlan plan(circuit, params);
  std::vector<float> theta(at(params.block_size()), 1.0f / static_cast<float>(states));
  std::vector<float> slopes(theta.size());
  pc::Columns columns{.count = windows, .steps = symbols};
  columns.lengths.assign(at(windows), symbols);
  columns.x.resize(at(windows * symbols));
  for (std::size_t i = 0; i < columns.x.size(); ++i)
    columns.x[i] = static_cast<std::int32_t>(i * i % letters);
  std::vector<double> log_p(at(windows));
  pc::Pass<float> pass(plan, {.columns = windows});
  double least = HUGE_VAL;
  for (int run = 0; run < 8; ++run) {
    const double begin = thread_seconds();
    pass.add_slopes(theta, columns, log_p, slopes);
    least = std::min(least, thread_seconds() - begin);
  }
  return least;
}

double coder_seconds(std::int64_t size) {
  using namespace codec::adaptive;
  Cursor random(Rng(1).stream(Stream::test, 12));
  std::vector<std::uint8_t> text(at(size));
  for (std::uint8_t& letter : text)
    letter = static_cast<std::uint8_t>('a' + random.below(1 + random.below(26)));
  const double begin = thread_seconds();
  (void)encode(text, {Kind::text}, Level::normal);
  return thread_seconds() - begin;
}

}  // namespace

void bench_slopes(Bench& bench) {
  const Series all[] = {
      {"vae step over rows",
       {50, 100, 200, 400},
       1.1,
       [](auto n) { return vae_seconds({.rows = n}); }},
      {"vae step over hidden units",
       {125, 250, 500, 1000},
       1.15,
       [](auto n) { return vae_seconds({.hidden = n}); }},
      {"vae step over latents",
       {10, 20, 40, 80},
       0.5,
       [](auto n) { return vae_seconds({.latents = n}); }},
      {"vae step over the side of a picture",
       {14, 28, 56},
       2.2,
       [](auto n) { return vae_seconds({.side = n}); }},
      {"kaem update over latents", {5, 10, 20, 40}, 1.1, kaem_seconds},
      {"vdm step over the side of a picture", {8, 16, 32}, 2.4, vdm_seconds},
      {"pass of a chain over symbols",
       {64, 128, 256, 512},
       1.1,
       [](auto n) { return chain_seconds(64, n); }},
      {"pass of a chain over states",
       {32, 64, 128, 256},
       2.2,
       [](auto n) { return chain_seconds(n, 128); }},
      {"adaptive coder over bytes", {1 << 17, 1 << 18, 1 << 19}, 1.1, coder_seconds}};
  for (const Series& series : all) add(bench, series);
}

}  // namespace logpx::bench
