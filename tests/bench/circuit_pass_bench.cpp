// One pass of Baum-Welch over windows of symbols, their log-likelihood and expected counts, as the
// peers of scripts/peers/pc_hmm.py do it, on one thread: CPU time. Data and parameters come from
// formulas of whole numbers that both follow.
#include "libcore/base/index.hpp"
#include "libcore/families/pc/passes/pass.hpp"
#include "libcore/families/pc/structures/structures.hpp"
#include "tests/bench/bench.hpp"

#include <algorithm>
#include <fstream>
#include <malloc.h>
#include <numeric>
#include <string>
#include <vector>

namespace logpx::bench {

namespace {

constexpr std::int64_t windows = 128, steps = 256, symbols = 27;

// Rows of weights, the tensors of a circuit one by one.
void set_weights(const ParamSet& params, std::span<float> theta) {
  for (int tensor = 0; tensor < params.count(); ++tensor) {
    const View<float> values = params.view(tensor, theta);
    const std::int64_t columns = params.infos()[at(tensor)].shape.back();
    const std::int64_t rows = values.shape.elements() / columns;
    for (std::int64_t j = 0; j < rows; ++j) {
      const auto weight = [&](std::int64_t i) { return 1 + (31 * j + 17 * i + 7 * i * j) % 97; };
      std::int64_t sum = 0;
      for (std::int64_t i = 0; i < columns; ++i) sum += weight(i);
      for (std::int64_t i = 0; i < columns; ++i)
        values[j * columns + i] =
            static_cast<float>(static_cast<double>(weight(i)) / static_cast<double>(sum));
    }
  }
}

pc::Columns all_windows() {
  pc::Columns columns{.count = windows, .steps = steps};
  columns.lengths.assign(at(windows), steps);
  for (std::int64_t t = 0; t < steps; ++t)
    for (std::int64_t w = 0; w < windows; ++w)
      columns.x.push_back(static_cast<std::int32_t>((131 * w + 7 * t * t + 3 * t * w + t / 5 * 11) %
                                                    8191 % symbols));
  return columns;
}

// MiB of this process: now (VmRSS), or at most since forget_peak (VmHWM).
double resident(const std::string& what) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(what + ':')) return std::stod(line.substr(what.size() + 1)) / 1024;
  return 0;
}
void forget_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

struct Case {
  std::string name;
  MonarchFactors factors;
  std::optional<double> floor = {};
};

void time_pass(Bench& bench, const Case& item) {
  const auto& [name, factors, floor] = item;
  ParamSet params;
  const pc::PassPlan plan(pc::hidden_markov({"x", symbols}, factors), params);
  std::vector<float> theta(at(params.block_size())), slopes(theta.size());
  set_weights(params, theta);
  const pc::Columns columns = all_windows();
  std::vector<double> log_p(at(windows)), seconds;
  malloc_trim(0);
  const double before = resident("VmRSS");
  forget_peak();
  const pc::PassSettings settings{.columns = windows};
  pc::Pass<float> pass(plan, settings);
  for (int run = 0; run < 8; ++run) {
    const double begin = thread_seconds();
    pass.add_slopes(theta, columns, log_p, slopes);
    if (run > 0) seconds.push_back(thread_seconds() - begin);
  }
  const double peak = resident("VmHWM") - before;
  std::ranges::sort(seconds);
  // Up, down, and the sums of products; what lies between layers is computed a second time.
  const Monarch form(factors);
  const std::int64_t edges = 4 * form.edges() - form.layers().back().edges();
  const double flops = 2.0 * static_cast<double>(windows * (steps - 1) * edges);
  const auto add = [&](const std::string& what, double time, std::optional<double> least) {
    bench.add({.name = name + what,
               .value = 1e3 * time,
               .unit = "ms",
               .share = flops / time / bench.peak(),
               .floor = least,
               .of = "sgemm 1024"});
  };
  add(", fastest", seconds.front(), floor);
  add(", median", seconds[seconds.size() / 2], {});
  const double planned =
      static_cast<double>(pc::Pass<float>::bytes(plan, settings, steps)) / 0x1p20;
  bench.add({.name = name + ", peak",
             .value = peak,
             .unit = "MiB",
             .share = std::min(peak, planned) / std::max(peak, planned),
             .floor = peak > 5 ? std::optional(0.8) : std::nullopt,
             .of = "what is planned, or it of this"});
  bench.add({.name = "log p, " + name,
             .value = std::accumulate(log_p.begin(), log_p.end(), 0.0),
             .unit = "nats"});
}

}  // namespace

void bench_circuit_pass(Bench& bench) {
  time_pass(bench, {"pass hmm 16", Monarch::dense(16, 16).factors()});
  time_pass(bench, {"pass hmm 64", Monarch::dense(64, 64).factors()});
  time_pass(bench, {"pass hmm 256", Monarch::dense(256, 256).factors(), 0.6});
  time_pass(bench, {"pass monarch 32.32", read_factors("32,32", 1024), 0.45});
}

}  // namespace logpx::bench
