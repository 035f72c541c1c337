// Trees of hidden states over the pixels of drawn digits, as train-pc trains them on pictures: steps
// of a minibatch with all that belongs to them, leaves, counts and update.

#include "libcore/families/pc/family.hpp"
#include "libcore/families/pc/task.hpp"
#include "libcore/families/synthetic_rows.hpp"
#include "libcore/train/loop.hpp"
#include "libcore/train/ranks.hpp"
#include "tests/bench/bench.hpp"

#include <algorithm>
#include <string>

namespace logpx::bench {
namespace {

constexpr std::int64_t rows = 1000, hidden = 64;

const HeldRows& digits() {
  static const HeldRows all = [] {
    SyntheticRequest request{.name = "digits", .n = rows};
    return synthetic_rows(request);
  }();
  return all;
}

struct Tree {
  std::string name;
  std::int64_t dictionary = 0, styles = 1;
  std::optional<double> floor = {};
};

pc::Settings settings_of(const Tree& tree) {
  pc::Settings settings;
  settings.model.structure = "hclt";
  settings.model.hidden = hidden;
  settings.model.dictionary = tree.dictionary;
  if (tree.dictionary > 0) settings.model.styles = tree.styles;
  settings.training.batch = rows;
  settings.training.steps = 1'000'000;
  return settings;
}

// Up, down and the sums of products, of every sum.
double step_flops(const pc::Circuit& circuit) {
  double edges = 0;
  for (const pc::Block& block : circuit.blocks)
    if (block.kind == pc::BlockKind::sum && block.size > 1)
      edges += static_cast<double>(Monarch(block.factors).edges());
  return 6.0 * rows * edges;
}

}  // namespace

void bench_trees(Bench& bench) {
  for (const Tree& tree :
       {Tree{"tables of 256", 0, 1, 0.35}, Tree{"64 styles, dictionary of 48", 48, 64}}) {
    Workers workers(1);
    const TaskData data{.train = {digits().info, digits().rows, 0}, .valid = std::nullopt};
    const Trainee trainee = pc::make_trainee(settings_of(tree), data, Rng(1), {.workers = workers});
    const auto ranks = join_ranks();
    TrainingLoop loop(*trainee.task, trainee.options, {workers, *ranks}, {});
    const double seconds = bench.seconds([&] { static_cast<void>(loop.time_steps(1)); });
    const auto& model = dynamic_cast<const pc::PcModel&>(*trainee.model);
    const double flops = step_flops(model.circuit());
    bench.add({.name = "hclt 784 x 64, " + tree.name + ", 1000 rows",
               .value = 1e3 * seconds,
               .unit = "ms",
               .share = flops / seconds / bench.peak(),
               .floor = tree.floor,
               .of = "sgemm 1024"});
  }
}

}  // namespace logpx::bench
