// One pass over rows, their log-likelihood and expected counts, on one thread: CPU time. For chains
// that is Baum-Welch over windows of symbols, as the peers of scripts/peers/pc_hmm.py do it: data
// and parameters come from formulas of whole numbers that both follow.
#include "libcore/base/index.hpp"
#include "libcore/families/pc/passes/pass.hpp"
#include "libcore/families/pc/patterns/matching.hpp"
#include "libcore/families/pc/structures/regions.hpp"
#include "tests/bench/bench.hpp"

#include <algorithm>
#include <fstream>
#include <malloc.h>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace logpx::bench {

namespace {

constexpr std::int64_t windows = 128, symbols = 27;
constexpr pc::PixelGrid digit = {.height = 28, .width = 28};

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

// Values of each row, one behind the other: steps of a chain, or all variables.
pc::Columns all_rows(std::int64_t values, std::int64_t categories) {
  pc::Columns columns{.count = windows, .steps = values};
  columns.lengths.assign(at(windows), values);
  for (std::int64_t t = 0; t < values; ++t)
    for (std::int64_t w = 0; w < windows; ++w)
      columns.x.push_back(static_cast<std::int32_t>((131 * w + 7 * t * t + 3 * t * w + t / 5 * 11) %
                                                    8191 % categories));
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

// Multiply-adds of the sums for one row: up, down, and the sums of products; what lies between
// layers is computed a second time.
std::int64_t training_edges(const pc::PassPlan& plan, std::int64_t steps) {
  const bool chained = plan.circuit().chained();
  std::int64_t edges = 0;
  for (const int b : chained ? plan.steps() : plan.head())
    if (plan.block(b).kind == pc::BlockKind::sum)
      edges += 4 * plan.form(b).edges() - plan.form(b).layers().back().edges();
  return chained ? (steps - 1) * edges : edges;
}

struct Case {
  std::string name;
  pc::Circuit circuit;
  pc::Columns columns;
  std::optional<double> floor = {};
};
struct RegionCase {
  std::string name;
  pc::RegionGraph graph;
  double floor;
};

void time_pass(Bench& bench, const Case& item) {
  const auto& [name, circuit, columns, floor] = item;
  ParamSet params;
  const pc::PassPlan plan(circuit, params);
  std::vector<float> theta(at(params.block_size())), slopes(theta.size());
  set_weights(params, theta);
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
  const double flops = 2.0 * static_cast<double>(windows * training_edges(plan, columns.steps));
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
      static_cast<double>(pc::Pass<float>::bytes(plan, settings, columns.steps)) / 0x1p20;
  bench.add({.name = name + ", peak",
             .value = peak,
             .unit = "MiB",
             .share = std::min(peak, planned) / std::max(peak, planned),
             .floor = peak > 5 && plan.carry() >= 0 ? std::optional(0.8) : std::nullopt,
             .of = "what is planned, or it of this"});
  bench.add({.name = "log p, " + name,
             .value = std::accumulate(log_p.begin(), log_p.end(), 0.0),
             .unit = "nats"});
}

void time_chain(Bench& bench, const std::string& name, const MonarchFactors& factors,
                std::optional<double> floor = {}) {
  constexpr std::int64_t steps = 256;
  time_pass(bench,
            {name, pc::hidden_markov({"x", symbols}, factors), all_rows(steps, symbols), floor});
}

// Pictures in black and white, whose leaves take less memory than is planned: they have two values.
void time_regions(Bench& bench, const RegionCase& item) {
  const std::vector<pc::Variable> pixels(at(digit.pixels()), {.name = "x", .categories = 2});
  pc::Columns rows = all_rows(digit.pixels(), 2);
  rows.steps = 1;
  rows.lengths.assign(at(windows), 1);
  time_pass(bench,
            {item.name, pc::region_circuit(pixels, item.graph, {.sums = pc::square_sum(32, {})}),
             rows, item.floor});
}

// Texts under a pattern of s states: at most what s + 1 passes over one text cost.
void time_matching(Bench& bench) {
  constexpr std::int64_t letters = 60;
  std::vector<std::u32string> alphabet = {U" "};
  for (char32_t letter = U'a'; letter <= U'z'; ++letter) alphabet.emplace_back(1, letter);
  const std::vector<Pattern> patterns = {{"--pattern", U"([a-z]{1,6} ){10}"}};
  const Automaton words = make_automaton(patterns, alphabet);
  const pc::Circuit circuit = pc::hidden_markov({"x", symbols}, read_factors("32,32", 1024));
  ParamSet params;
  const pc::PassPlan plan(circuit, params);
  std::vector<float> weights(at(params.block_size()));
  set_weights(params, weights);
  const std::vector<double> theta(weights.begin(), weights.end());
  const pc::Matching matching(plan, std::make_shared<const std::vector<double>>(theta), words);
  const Evidence any = unknown_row(letters);
  pc::Pass<double> pass(plan, {.columns = 1});
  pc::Columns text{.count = 1, .steps = letters, .lengths = {letters}};
  text.x.assign(at(letters), 1);
  double log_p = 0;
  const std::vector<double> seconds = bench.seconds({[&] {
                                                       pass.log_p(theta, text, {&log_p, 1});
                                                     },
                                                     [&] { (void)matching.log_p(any); },
                                                     [&] {
                                                       (void)matching.fill(any, Rng(1), {0, 100});
                                                     }});
  const std::string name =
      "ten words, " + std::to_string(words.states()) + " states, monarch 32.32, ";
  bench.add({.name = name + "match",
             .value = 1e3 * seconds[1],
             .unit = "ms",
             .share = (words.states() + 1) * seconds[0] / seconds[1],
             .floor = 1,
             .of = "a pass a state, and one"});
  bench.add({.name = name + "100 draws", .value = 1e3 * seconds[2], .unit = "ms"});
}

}  // namespace

void bench_circuit_pass(Bench& bench) {
  time_chain(bench, "pass hmm 16", Monarch::dense(16, 16).factors());
  time_chain(bench, "pass hmm 64", Monarch::dense(64, 64).factors());
  time_chain(bench, "pass hmm 256", Monarch::dense(256, 256).factors(), 0.6);
  time_chain(bench, "pass monarch 32.32", read_factors("32,32", 1024), 0.32);
  time_regions(bench, {"pass quad-graph 28x28, 32",
                       pc::quad_regions(digit, pc::QuadSplit::both_halves), 0.15});
  time_regions(bench, {"pass pd 28x28, 32", pc::box_regions(digit, 7), 0.05});
  time_matching(bench);
}

}  // namespace logpx::bench
